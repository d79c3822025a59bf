/** One column of a table: its heading, and whether its cells are figures. */
export interface Column {
  readonly heading: string;
  readonly align: 'left' | 'right';
}

/** Cells of one row, or a line between two parts of the table. */
export type Row = readonly string[] | 'line';

/** Lays a table out in fixed width, as Markdown shows it. */
export function layOutTable(columns: readonly Column[], rows: readonly Row[]): string {
  const cells = rows.filter((row) => row !== 'line');
  const widths = columns.map(({ heading }, index) =>
    Math.max(heading.length, ...cells.map((row) => (row[index] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align)).join(' | ')} |`;
  const ruler = `|${widths.map((width, index) => rule(width, columns[index]?.align)).join('|')}|`;
  const blank = line(columns.map(() => ''));
  return [
    line(columns.map(({ heading }) => heading)),
    ruler,
    ...rows.map((row) => (row === 'line' ? blank : line(row))),
  ].join('\n');
}

function pad(cell: string, width: number, align: Column['align'] | undefined): string {
  return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
}

function rule(width: number, align: Column['align'] | undefined): string {
  return align === 'right' ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2);
}
