import path from 'node:path';
import { Refusal } from '../shared/action.mjs';
import { readJson, writeJson } from '../shared/json-file.mjs';

/** The shared calendar as this workspace sees it; a copy of the committed seed until something is written. */
export const scheduleFile = path.resolve('.demo/schedule.json');

const seedFile = path.resolve('data/schedule.json');

/** Every event, earliest first. */
export function readEvents() {
  return readJson(scheduleFile, readJson(seedFile)).sort((a, b) => compare(a.start, b.start) || compare(a.id, b.id));
}

/** Every event of the committed seed. */
export function readSeed() {
  return readJson(seedFile);
}

export function writeEvents(events) {
  writeJson(scheduleFile, events);
}

/** The event with this id. An unknown id is a Refusal. */
export function requireEvent(events, id) {
  const event = events.find((candidate) => candidate.id === id);
  if (event === undefined) throw new Refusal(`There is no event ${id}. List them with myapp.schedule.list.`);
  return event;
}

/** The first free id. */
export function nextId(events) {
  const numbers = events.map(({ id }) => Number(id.slice('evt-'.length)));
  return `evt-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
