import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { findOnPath, isExecutableFile, pathFolders, runProgram } from '../shared/program.mjs';

await runAction(() => {
  const binaries = pathFolders().flatMap(pythonsIn);
  return { default: findOnPath('python3'), interpreters: binaries.map(describe) };
});

function pythonsIn(folder) {
  const names = listNames(folder).filter((name) => /^python(3(\.\d+)?)?$/.test(name));
  return names
    .sort()
    .map((name) => path.join(folder, name))
    .filter(isExecutableFile);
}

function listNames(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function describe(binary) {
  const { stdout, stderr } = runProgram(binary, ['--version'], { timeout: 10_000 });
  return { binary, target: realpathSync(binary), version: /\d+\.\d+\.\d+\S*/.exec(`${stdout}${stderr}`)?.[0] ?? null };
}
