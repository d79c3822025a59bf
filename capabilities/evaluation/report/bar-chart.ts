import { escapeHtml } from './html-text';

/** A group of bars under one label, one bar for each series; undefined where there is no value. */
export interface BarGroup {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
}

/** Horizontal bars from zero to a maximum. */
export interface BarChart {
  readonly title: string;
  /** At most four. */
  readonly series: readonly string[];
  readonly groups: readonly BarGroup[];
  readonly maximum: number;
  readonly unit: string;
}

const WIDTH = 900;
const LABEL_WIDTH = 190;
const VALUE_WIDTH = 70;
const BAR = 12;
const GAP = 10;
const TOP = 30;
const TICKS = 5;

/** Draws a bar chart as SVG. */
export function drawBars({ title, series, groups, maximum, unit }: BarChart): string {
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / maximum;
  const groupHeight = series.length * BAR + GAP;
  const height = TOP + groups.length * groupHeight + 20;
  const bars = groups.flatMap(({ label, values }, row) => {
    const top = TOP + row * groupHeight;
    const middle = top + (series.length * BAR) / 2 + 4;
    const text = `<text x="${LABEL_WIDTH - 8}" y="${middle}" text-anchor="end">${escapeHtml(label)}</text>`;
    const drawn = values.map((value, index) =>
      value === undefined ? '' : drawBar(value, { index, top, scale, unit }),
    );
    return [text, ...drawn];
  });
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${escapeHtml(title)}">`,
    `<title>${escapeHtml(title)}</title>`,
    drawLegend(series),
    drawTicks(maximum, scale, height),
    ...bars,
    '</svg>',
  ].join('\n');
}

function drawBar(
  value: number,
  place: { readonly index: number; readonly top: number; readonly scale: number; readonly unit: string },
): string {
  const y = place.top + place.index * BAR;
  const width = Math.max(1, value * place.scale);
  const bar = `<rect class="s${place.index}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}"/>`;
  const text = `<text class="soft" x="${(LABEL_WIDTH + width + 5).toFixed(1)}" y="${y + BAR - 3}">${value}${escapeHtml(place.unit)}</text>`;
  return bar + text;
}

function drawLegend(series: readonly string[]): string {
  if (series.length < 2) return '';
  return series
    .map((name, index) => {
      const x = LABEL_WIDTH + index * 130;
      return `<rect class="s${index}" x="${x}" y="6" width="10" height="10"/><text x="${x + 15}" y="15">${escapeHtml(name)}</text>`;
    })
    .join('');
}

function drawTicks(maximum: number, scale: number, height: number): string {
  return Array.from({ length: TICKS + 1 }, (_, index) => {
    const value = (maximum * index) / TICKS;
    const x = (LABEL_WIDTH + value * scale).toFixed(1);
    const line = `<line class="axis" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${height - 18}"/>`;
    return `${line}<text class="soft" x="${x}" y="${height - 4}" text-anchor="middle">${Number(value.toFixed(2))}</text>`;
  }).join('');
}
