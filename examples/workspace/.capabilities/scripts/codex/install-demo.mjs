import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { writeJson } from '../shared/json-file.mjs';
import { demoHome, isDemoInstalled, localBinary, manifestFile, npmBinary, packageFolder } from './demo-home.mjs';
import { shellProfiles } from './shell-profiles.mjs';

const OLD_VERSION = '0.141.0';
const NPM_VERSION = '0.144.6';

const oldScript = `#!/bin/sh
echo "codex-cli ${OLD_VERSION}"
`;

const npmScript = `#!/usr/bin/env node
const { version } = require('../package.json');
console.log('codex-cli ' + version);
`;

const bashProfile = `# Bash profile of the demo home.
export PATH="$HOME/.npm-global/bin:$PATH"
export PATH="$HOME/.local/bin:$PATH"
`;

const fishProfile = `# Fish configuration of the demo home.
set -gx PATH $HOME/.local/bin $HOME/.npm-global/bin $PATH
`;

await runAction(({ reset = false }) => {
  const wasInstalled = isDemoInstalled();
  if (reset || !wasInstalled) installDemo();
  return {
    home: demoHome,
    changed: reset || !wasInstalled,
    binaries: [
      { binary: localBinary, version: OLD_VERSION },
      { binary: npmBinary, version: NPM_VERSION },
    ],
  };
});

function installDemo() {
  rmSync(demoHome, { recursive: true, force: true });
  writeProgram(localBinary, oldScript);
  const entry = path.join(packageFolder, 'bin/codex.js');
  writeProgram(entry, npmScript);
  writeJson(manifestFile, { name: '@openai/codex', version: NPM_VERSION, bin: { codex: 'bin/codex.js' } });
  mkdirSync(path.dirname(npmBinary), { recursive: true });
  symlinkSync(path.relative(path.dirname(npmBinary), entry), npmBinary);
  writeText(shellProfiles.bash.file, bashProfile);
  writeText(shellProfiles.fish.file, fishProfile);
  writeText(path.join(demoHome, '.npmrc'), 'prefix=${HOME}/.npm-global\n');
  // npm creates its cache folder when it is missing, even to answer a question.
  mkdirSync(path.join(demoHome, '.npm'));
}

function writeProgram(file, text) {
  writeText(file, text);
  chmodSync(file, 0o755);
}

function writeText(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
