import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { loadSamples, type LoadedSample, type SampleProblem } from '../../capabilities/evaluation/sample-loader';
import { readYaml } from '../../capabilities/registry/yaml-reader';

/** Where the samples of a workspace stand, relative to its folder. */
export const sampleFolder = path.join('.capabilities', 'evaluation');

/** The samples of a workspace, in file order, and everything that is wrong with their files. */
export function readSamples(root: string): {
  readonly samples: readonly LoadedSample[];
  readonly problems: readonly SampleProblem[];
} {
  const folder = path.join(root, sampleFolder);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.ya?ml$/i.test(name)) : [];
  const loaded = names.sort().map((name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    return loadSamples({ path: path.join(sampleFolder, name), text }, readYaml);
  });
  return {
    samples: loaded.flatMap((result) => (result.ok ? result.value : [])),
    problems: loaded.flatMap((result) => (result.ok ? [] : result.problem)),
  };
}
