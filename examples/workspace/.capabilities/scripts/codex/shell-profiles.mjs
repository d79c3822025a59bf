import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../shared/action.mjs';
import { isExecutableFile, runProgram } from '../shared/program.mjs';
import { demoEnvironment, demoHome, versionOf } from './demo-home.mjs';

const BLOCK_START = '# >>> maintenance.codex.path_repair >>>';
const BLOCK_END = '# <<< maintenance.codex.path_repair <<<';
const BLOCK = new RegExp(`\\n?${BLOCK_START}\\n[\\s\\S]*?${BLOCK_END}\\n`);

/** The start-up files the demo knows, with the line that puts npm's folder first. */
export const shellProfiles = {
  bash: { file: path.join(demoHome, '.bashrc'), repairLine: 'export PATH="$HOME/.npm-global/bin:$PATH"' },
  fish: {
    file: path.join(demoHome, '.config/fish/config.fish'),
    repairLine: 'set -gx PATH $HOME/.npm-global/bin $PATH',
  },
};

/** Every `codex` of the demo home that Bash would find, first one first, after it has read its start-up file. */
export function resolveInBash() {
  const { stdout } = runProgram('bash', ['--noprofile', '--norc', '-c', '. "$HOME/.bashrc" && type -aP codex'], {
    env: demoEnvironment,
  });
  // A real Codex of this machine may follow on PATH. It is none of the demo's business.
  const found = stdout.split('\n').filter((line) => line.startsWith(`${demoHome}/`));
  return [...new Set(found)];
}

/** The Codex that Bash starts, as `{ binary, version }`; both are null when it finds none. */
export function activeCodex() {
  const [binary = null] = resolveInBash();
  return { binary, version: binary && versionOf(binary) };
}

/** The same list for Fish, read from its configuration: Fish need not be installed. */
export function resolveInFish() {
  let folders = [];
  for (const line of readProfile('fish').split('\n')) {
    const words = line.trim().split(/\s+/);
    if (words[0] !== 'set' || words[2] !== 'PATH') continue;
    folders = words.slice(3).flatMap((word) => (word === '$PATH' ? folders : [word.replace('$HOME', demoHome)]));
  }
  const binaries = [...new Set(folders)].map((folder) => path.join(folder, 'codex'));
  return binaries.filter((binary) => binary.startsWith(`${demoHome}/`) && isExecutableFile(binary));
}

export function backupOf(file) {
  return `${file}.codex-backup`;
}

export function isRepaired(shell) {
  return BLOCK.test(readProfile(shell));
}

function readProfile(shell) {
  const { file } = shellProfiles[shell];
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new Refusal(`${file} is missing. Run maintenance.codex.install_demo with "reset": true.`);
}

/** Adds the marked block once and keeps a copy of the file as it was. Returns whether anything changed. */
export function repairProfile(shell) {
  const { file, repairLine } = shellProfiles[shell];
  if (isRepaired(shell)) return false;
  const original = readProfile(shell);
  writeFileSync(backupOf(file), original);
  writeFileSync(file, `${original}\n${BLOCK_START}\n${repairLine}\n${BLOCK_END}\n`);
  return true;
}

/** Puts the copy back. Returns false when there is none; later edits are a Refusal unless they may be lost. */
export function restoreProfile(shell, laterEdits) {
  const { file } = shellProfiles[shell];
  if (!existsSync(backupOf(file))) return false;
  const backup = readFileSync(backupOf(file), 'utf8');
  const isEdited = readProfile(shell).replace(BLOCK, '') !== backup;
  if (isEdited && laterEdits === 'keep') {
    throw new Refusal(
      `${file} was edited after the repair. Pass "later_edits": "discard" to restore the backup anyway.`,
    );
  }
  writeFileSync(file, backup);
  return true;
}
