import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './action.mjs';

/** Reads a JSON file, or returns `fallback` when it does not exist. A damaged file is a Refusal. */
export function readJson(file, fallback) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' && fallback !== undefined) return fallback;
    throw new Refusal(`${file} can't be read: ${error.message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${file} is not valid JSON. Restore it before you go on.`);
  }
}

/** Replaces a JSON file in one step, so that a reader never sees half of it. */
export function writeJson(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(draft, file);
}
