import { escapeHtml } from './html-text';

/** One change against a reference. */
export interface Delta {
  readonly label: string;
  readonly value: number;
}

const WIDTH = 900;
const LABEL_WIDTH = 190;
const ROW = 16;
const TOP = 12;
const MARGIN = 45;

/** Draws changes as bars to the left (worse) and right (better) of a line at zero, as SVG. */
export function drawDeltas(title: string, deltas: readonly Delta[]): string {
  const reach = Math.max(1, ...deltas.map(({ value }) => Math.abs(value)));
  const half = (WIDTH - LABEL_WIDTH) / 2 - MARGIN;
  const zero = LABEL_WIDTH + MARGIN + half;
  const height = TOP + deltas.length * ROW + 8;
  const rows = deltas.map(({ label, value }, index) => {
    const y = TOP + index * ROW;
    const width = (Math.abs(value) / reach) * half;
    const x = value < 0 ? zero - width : zero;
    const textX = value < 0 ? x - 5 : x + width + 5;
    const sign = value > 0 ? '+' : '';
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${y + 11}" text-anchor="end">${escapeHtml(label)}</text>`,
      `<rect class="${value < 0 ? 'bad' : 'good'}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 4}"/>`,
      `<text class="soft" x="${textX.toFixed(1)}" y="${y + 11}" text-anchor="${value < 0 ? 'end' : 'start'}">${sign}${value}</text>`,
    ].join('');
  });
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${escapeHtml(title)}">`,
    `<title>${escapeHtml(title)}</title>`,
    `<line class="axis" x1="${zero}" x2="${zero}" y1="${TOP - 6}" y2="${height - 4}"/>`,
    ...rows,
    '</svg>',
  ].join('\n');
}
