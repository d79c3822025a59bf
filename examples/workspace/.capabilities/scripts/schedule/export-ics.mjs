import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { readEvents } from './store.mjs';

const STATUS = { confirmed: 'CONFIRMED', tentative: 'TENTATIVE', cancelled: 'CANCELLED' };

await runAction(({ file_name = 'schedule.ics' }) => {
  const events = readEvents();
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//myapp//schedule//EN',
    ...events.flatMap(toLines),
    'END:VCALENDAR',
  ];
  const file = path.resolve('.demo/exports', file_name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\r\n')}\r\n`);
  return { file: path.relative(process.cwd(), file), events: events.length };
});

function toLines(event) {
  return [
    'BEGIN:VEVENT',
    `UID:${event.id}@myapp`,
    `DTSTAMP:${toStamp(event.start)}`,
    `DTSTART:${toStamp(event.start)}`,
    `DTEND:${toStamp(event.end)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `LOCATION:${escapeText(event.room)}`,
    `DESCRIPTION:${escapeText(event.notes)}`,
    `STATUS:${STATUS[event.status]}`,
    'END:VEVENT',
  ];
}

function toStamp(time) {
  return `${time.replace(/[-:]/g, '')}00`;
}

/** RFC 5545 §3.3.11. */
function escapeText(text) {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
}
