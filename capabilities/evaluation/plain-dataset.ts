import type { Result } from '../models';

/** A tool of a plain dataset: only what its publisher says about it. */
export interface PlainTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly title?: string;
  readonly category?: string;
  readonly when_to_use?: readonly string[];
  /** JSON Schema of the arguments, as published: often not quite valid. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A goal with the tools that serve it. The ids are for scoring only. */
export interface PlainQuery {
  readonly id: string;
  readonly query: string;
  readonly relevant: readonly string[];
}

/** A retrieval dataset in the plain form: `tools.jsonl` and `queries.jsonl`. */
export interface PlainDataset {
  readonly name: string;
  readonly tools: readonly PlainTool[];
  readonly queries: readonly PlainQuery[];
}

/** The texts of a dataset's two files. */
export interface PlainDatasetFiles {
  readonly tools: string;
  readonly queries: string;
}

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Most problems listed: whoever mixed up a file sees it from a few. */
const MAX_PROBLEMS = 20;

/** Reads a dataset. Fails with every line that does not fit, `tools.jsonl:12: …`. Keys that are not known are ignored. */
export function parsePlainDataset(name: string, files: PlainDatasetFiles): Result<PlainDataset, readonly string[]> {
  const problems: string[] = [];
  const tools = readLines(files.tools, 'tools.jsonl', { read: readTool, problems });
  const queries = readLines(files.queries, 'queries.jsonl', { read: readQuery, problems });
  const ids = new Set<string>();
  for (const { id } of tools) {
    if (ids.has(id)) problems.push(`tools.jsonl: the id ${JSON.stringify(id)} stands twice`);
    ids.add(id);
  }
  if (tools.length === 0) problems.push('tools.jsonl: there is no tool');
  if (queries.length === 0) problems.push('queries.jsonl: there is no query');
  if (problems.length > 0) return { ok: false, problem: problems.slice(0, MAX_PROBLEMS) };
  return { ok: true, value: { name, tools, queries } };
}

interface LineReader<T> {
  /** The row as it should be, or what is wrong with it. */
  readonly read: (row: Row) => T | string;
  readonly problems: string[];
}

function readLines<T extends object>(text: string, file: string, { read, problems }: LineReader<T>): readonly T[] {
  const rows: T[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const value = parseJson(line);
    const row = isRow(value) ? read(value) : 'is no JSON object';
    if (typeof row === 'string') problems.push(`${file}:${index + 1}: ${row}`);
    else rows.push(row);
  });
  return rows;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readTool(row: Row): PlainTool | string {
  const { id, name, description, title, category, when_to_use: whenToUse, args } = row;
  if (!isFilled(id)) return '`id` must be a text that is not empty';
  if (!isFilled(name)) return '`name` must be a text that is not empty';
  if (typeof description !== 'string') return '`description` must be a text';
  if (whenToUse !== undefined && !isTextList(whenToUse)) return '`when_to_use` must be a list of texts';
  return {
    id,
    name,
    description,
    ...(isFilled(title) ? { title } : {}),
    ...(isFilled(category) ? { category } : {}),
    ...(whenToUse === undefined ? {} : { when_to_use: whenToUse }),
    ...(isRow(args) ? { args } : {}),
  };
}

function readQuery(row: Row): PlainQuery | string {
  const { id, query, relevant } = row;
  if (typeof id !== 'string') return '`id` must be a text';
  if (!isFilled(query)) return '`query` must be a text that is not empty';
  if (!isTextList(relevant) || relevant.length === 0) return '`relevant` must be a list of tool ids that is not empty';
  return { id, query, relevant };
}

/** At most `count` queries, evenly spread over the list: the same ones each time. */
export function sampleQueries(queries: readonly PlainQuery[], count: number): readonly PlainQuery[] {
  if (count >= queries.length) return queries;
  return Array.from({ length: count }, (_, index) => queries[Math.floor((index * queries.length) / count)]).filter(
    (query) => query !== undefined,
  );
}
