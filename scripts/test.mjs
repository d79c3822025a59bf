// `npm test`: installs, checks, builds and runs every suite, then prints `N passed, N failed`.
// Node built-ins only until the dependencies are there.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { ensureInstall } from './ensure-install.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const artifacts = path.join(root, 'test-artifacts');
const total = { passed: 0, failed: 0 };

/** Runs one program of the dependencies; true when it ended well. */
function run(...args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function check(name, ...args) {
  console.log(`\n== ${name}`);
  const passed = run(...args);
  total[passed ? 'passed' : 'failed'] += 1;
  if (!passed) console.log(`FAILED: ${name}`);
  return passed;
}

/** Runs suites and adds their counts; a suite that can't even be loaded counts as one failure. */
function suites(...projects) {
  console.log(`\n== ${projects.join(' and ')} tests`);
  const file = path.join(artifacts, `${projects.join('-')}.json`);
  rmSync(file, { force: true });
  const passed = run(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  );
  const counts = readCounts(file);
  total.passed += counts.passed;
  total.failed += passed ? counts.failed : Math.max(1, counts.failed);
}

function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed:
        report.numFailedTests +
        report.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length,
    };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

await ensureInstall(root);
mkdirSync(artifacts, { recursive: true });
const generated = check('generate', 'scripts/generate.mjs');
if (generated) {
  check('types', 'node_modules/typescript/bin/tsc', '--noEmit');
  check('lint', 'node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0');
  check('format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.');
  check(
    'layers',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'capabilities',
    'client',
    'server',
    'protocol',
    'cli',
  );
  check('schema reference', 'scripts/reference.mjs', '--check');
  check('unused code', 'node_modules/knip/bin/knip.js');
  const packaged = check('package', 'scripts/package.mjs');
  suites('unit', 'lsp');
  suites('battery');
  if (packaged && !process.argv.includes('--fast')) {
    if (check('test host', 'test/host/install-host.mjs')) {
      suites('host');
      suites('agent');
    }
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
