import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { visibleElement, visibleText } from '../../capabilities/execution/visible-text';
import { parsePlainDataset, type PlainDataset } from '../../capabilities/evaluation/plain-dataset';

const files = { tools: 'tools.jsonl', queries: 'queries.jsonl' };

/** Reads the dataset of a folder. Throws with every line that does not fit. */
export function readDataset(folder: string): PlainDataset {
  const parsed = parsePlainDataset(path.basename(path.resolve(folder)), {
    tools: readText(folder, files.tools),
    queries: readText(folder, files.queries),
  });
  if (parsed.ok) return parsed.value;
  throw new Error([`${visibleElement(folder)} is no dataset:`, ...parsed.problem.map(visibleText)].join('\n  '));
}

function readText(folder: string, file: string): string {
  try {
    return readFileSync(path.join(folder, file), 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${visibleElement(folder)} is no dataset: ${file} can't be read (${visibleText(reason)}).`);
  }
}

/** The sub-folders that hold a dataset, in name order. A folder with tools only is for other uses and is left out. */
export function datasetFolders(folder: string): readonly string[] {
  const inside = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, files.queries)))
    .map((entry) => path.join(folder, entry.name))
    .sort();
  if (inside.length === 0) throw new Error(`No folder in ${visibleElement(folder)} holds a ${files.queries}.`);
  return inside;
}
