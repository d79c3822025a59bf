import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { htmlPage, type PageSection } from '../../capabilities/evaluation/report/html-page';
import { visibleElement } from '../../capabilities/execution/visible-text';
import type { CommandOptions } from '../command';
import type { Terminal } from '../terminal';

/** Writes the page that `--report` asks for; does nothing without it. */
export function writeReport(
  { values: { report } }: CommandOptions,
  terminal: Terminal,
  page: { readonly title: string; readonly sections: readonly PageSection[] },
): void {
  if (typeof report !== 'string') return;
  const command = `Made by: capability ${process.argv.slice(2).join(' ')}`;
  writeFileSync(report, htmlPage(page.title, command, page.sections));
  terminal.tell(`Report written to ${visibleElement(path.resolve(report))}.`);
}
