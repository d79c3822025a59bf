import { runAction } from '../shared/action.mjs';
import { findOnPath, runProgram } from '../shared/program.mjs';

const PROGRAMS = ['node', 'npm', 'python3', 'git', 'bash', 'fish', 'docker'];

await runAction(() => ({
  platform: `${process.platform} ${process.arch}`,
  programs: PROGRAMS.map(describeProgram),
  missing: PROGRAMS.filter((name) => findOnPath(name) === null),
}));

function describeProgram(name) {
  const file = findOnPath(name);
  if (file === null) return { name, path: null, version: null };
  const { stdout, stderr } = runProgram(file, ['--version'], { timeout: 10_000 });
  const version = /\d+\.\d+(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0] ?? null;
  return { name, path: file, version };
}
