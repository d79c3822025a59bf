import { escapeHtml } from './html-text';

/** From the median to the 95th percentile, in milliseconds, of one series. */
export interface LatencyRange {
  readonly p50: number;
  readonly p95: number;
}

/** The ranges of one label, one for each series; undefined where there is none. */
export interface LatencyRow {
  readonly label: string;
  readonly ranges: readonly (LatencyRange | undefined)[];
}

const WIDTH = 900;
const LABEL_WIDTH = 190;
const LINE = 9;
const GAP = 10;
const TOP = 30;
/** Powers of ten of a millisecond: the ends of the axis. */
const FIRST = -2;
const LAST = 3;

function placeOf(milliseconds: number): number {
  const share = (Math.log10(Math.max(10 ** FIRST, milliseconds)) - FIRST) / (LAST - FIRST);
  return LABEL_WIDTH + Math.min(1, share) * (WIDTH - LABEL_WIDTH - 30);
}

/** Draws latencies on a logarithmic axis as SVG: a bar from P50 to P95. */
export function drawLatencies(title: string, series: readonly string[], rows: readonly LatencyRow[]): string {
  const rowHeight = series.length * LINE + GAP;
  const height = TOP + rows.length * rowHeight + 22;
  const legend = series.map((name, index) => {
    const x = LABEL_WIDTH + index * 130;
    return `<rect class="s${index}" x="${x}" y="6" width="10" height="10"/><text x="${x + 15}" y="15">${escapeHtml(name)}</text>`;
  });
  const ticks = Array.from({ length: LAST - FIRST + 1 }, (_, index) => {
    const value = 10 ** (FIRST + index);
    const x = placeOf(value).toFixed(1);
    const line = `<line class="axis" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${height - 20}"/>`;
    return `${line}<text class="soft" x="${x}" y="${height - 5}" text-anchor="middle">${value} ms</text>`;
  });
  const drawn = rows.flatMap(({ label, ranges }, row) => {
    const top = TOP + row * rowHeight;
    const middle = top + (series.length * LINE) / 2 + 4;
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${middle}" text-anchor="end">${escapeHtml(label)}</text>`,
      ...ranges.map((range, index) => (range ? drawRange(range, index, top + index * LINE) : '')),
    ];
  });
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${escapeHtml(title)}">`,
    `<title>${escapeHtml(title)}</title>`,
    ...legend,
    ...ticks,
    ...drawn,
    '</svg>',
  ].join('\n');
}

function drawRange({ p50, p95 }: LatencyRange, index: number, y: number): string {
  const left = placeOf(p50);
  const width = Math.max(3, placeOf(p95) - left);
  return `<rect class="s${index}" x="${left.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${LINE - 2}"><title>${p50} / ${p95} ms</title></rect>`;
}
