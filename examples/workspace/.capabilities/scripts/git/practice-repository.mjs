import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal, runAction } from '../shared/action.mjs';
import { requireProgram } from '../shared/program.mjs';

const folder = path.resolve('.demo/repo');

await runAction(({ reset = false }) => {
  if (existsSync(folder) && !reset) throw new Refusal('.demo/repo exists already. Pass "reset": true to start afresh.');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  createRepository();
  commitHistory();
  leaveUnfinishedWork();
  return {
    repository: '.demo/repo',
    commits: Number(git('rev-list', '--count', 'HEAD')),
    branches: git('branch', '--format=%(refname:short)').trim().split('\n'),
  };
});

function createRepository() {
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Demo Author');
  git('config', 'user.email', 'demo@example.invalid');
  git('config', 'commit.gpgSign', 'false');
  git('config', 'core.hooksPath', '.git/no-hooks');
}

function commitHistory() {
  write('README.md', '# Practice\n\nBreak things here.\n');
  write('.gitignore', '*.log\n');
  commit('Start the practice repository');
  write('src/app.js', "console.log('hello');\n");
  write('assets/banner.bin', 'x'.repeat(300_000));
  commit('Add the application and a large banner');
  git('switch', '--quiet', '-c', 'feature/greeting');
  write('src/app.js', "// TODO: translate\nconsole.log('good morning');\n");
  commit('Greet by time of day');
  git('switch', '--quiet', 'main');
  git('merge', '--quiet', '--ff-only', 'feature/greeting');
  git('switch', '--quiet', '-c', 'experiment/colours');
  write('src/colours.js', "export const accent = '#0a7';\n");
  commit('Try an accent colour');
  git('switch', '--quiet', 'main');
  git('rm', '--quiet', 'assets/banner.bin');
  commit('Remove the banner');
}

function leaveUnfinishedWork() {
  write('README.md', '# Practice\n\nBreak things here, then put them back.\n');
  write('notes.txt', 'untracked\n');
  write('build/output.txt', 'untracked\n');
  write('debug.log', 'ignored\n');
}

function write(file, text) {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function commit(message) {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function git(...argv) {
  return requireProgram('git', argv, { cwd: folder });
}
