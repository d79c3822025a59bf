import { Refusal } from '../shared/action.mjs';
import { requireProgram, runProgram } from '../shared/program.mjs';
import { existingFolder } from '../shared/workspace-files.mjs';

/** A repository opened at a folder of the workspace. `git` returns output, `tryGit` the whole outcome. */
export function openRepository(relativePath = '.') {
  const cwd = existingFolder(relativePath);
  const tryGit = (...argv) => runProgram('git', ['--no-optional-locks', ...argv], { cwd });
  const git = (...argv) => requireProgram('git', ['--no-optional-locks', ...argv], { cwd });
  if (tryGit('rev-parse', '--is-inside-work-tree').stdout.trim() !== 'true') {
    throw new Refusal(`${relativePath} is not in a Git repository. git.practice_repository makes one in .demo/repo.`);
  }
  return { cwd, git, tryGit };
}

/** Non-empty lines of a text. */
export function linesOf(text) {
  return text.split('\n').filter((line) => line !== '');
}
