// `npm run battery`: every hostile attempt, and a table of how they ended. Ends with 1 when one escaped or crashed something.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'test-artifacts', 'battery');
rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project=battery', '--no-file-parallelism'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, CAPABILITY_BATTERY: 'full' } },
);
const attempts = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
const threats = [...new Set(attempts.map(({ threat }) => threat))].sort();
const count = (list, outcome) => list.filter((each) => each.outcome === outcome).length;
const row = (name, list) =>
  `${name.padEnd(34)} ${[list.length, count(list, 'blocked'), count(list, 'escaped'), count(list, 'crashed')].map((number) => String(number).padStart(9)).join('')}`;
console.log(`\n${'threat'.padEnd(34)}  attempts  blocked  escaped  crashed`);
for (const threat of threats)
  console.log(
    row(
      threat,
      attempts.filter((each) => each.threat === threat),
    ),
  );
console.log(row('all', attempts));
for (const { threat, name, outcome, detail } of attempts.filter((each) => each.outcome !== 'blocked')) {
  console.log(`${outcome}: ${threat}: ${name}${detail === undefined ? '' : ` (${detail})`}`);
}
const failures = count(attempts, 'escaped') + count(attempts, 'crashed');
console.log(`\n${count(attempts, 'escaped')} escaped, ${count(attempts, 'crashed')} crashed`);
process.exit(failures === 0 && status === 0 && attempts.length > 0 ? 0 : 1);
