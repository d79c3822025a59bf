/**
 * What governed execution costs, side by side in one run: a bare spawn, one in a PID namespace and one in the sandbox; a decision without rules and with
 * 1,000; an audit record that waits for the disk and one that does not.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { AuditLog } from '../capabilities/execution/audit-log';
import { Policy } from '../capabilities/execution/policy';
import { PolicyTier } from '../capabilities/execution/policy-rules/policy-tiers';
import type { PolicyFile, PolicyRule } from '../capabilities/models';
import { BubblewrapIsolator } from '../capabilities/node/isolation/bubblewrap-isolator';
import { NodeClock } from '../capabilities/node/node-clock';
import { NodeDataStore } from '../capabilities/node/node-data-store';
import { NodeDigest } from '../capabilities/node/node-digest';
import { NodeProcessRunner } from '../capabilities/node/node-process-runner';
import { ProcessContainment } from '../capabilities/node/process-containment';
import type { IsolationRequest } from '../capabilities/ports';
import { sampleAction, sampleContext } from '../test/unit/execution/sample-resources';
import { showSummary, summarize, time } from './statistics';

const ROUNDS = 200;
const RULES = 1000;
const folder = await mkdtemp(path.join(tmpdir(), 'capability-bench-'));
const clock = new NodeClock();
const isolator = new BubblewrapIsolator({ home: homedir(), dataFolder: folder });
const runner = new NodeProcessRunner(folder, { isolator, containment: new ProcessContainment() }, clock);
const limits: IsolationRequest = {
  ...{ workspaceFolder: folder, protectedPaths: [`${folder}/.git`], network: 'none', pinnedFiles: [] },
  writable: [{ path: folder, kind: 'folder' }],
};

function bare(): Promise<void> {
  return new Promise((resolve) =>
    spawn('/bin/true', { stdio: ['ignore', 'pipe', 'pipe'] }).once('close', () => {
      resolve();
    }),
  );
}

async function run(isolation: IsolationRequest | undefined): Promise<void> {
  const { signal } = new AbortController();
  const common = {
    argv: ['/bin/true'],
    cwd: folder,
    environment: {},
    stdin: undefined,
    timeoutMs: 10_000,
    keepBytes: 1000,
  };
  const result = await runner.run({ ...common, signal, isolation });
  if (result.exitCode !== 0) throw new Error(result.detail ?? result.stderr.text);
}

console.log(
  `load ${loadavg()[0]?.toFixed(1) ?? '?'}, Node ${process.version}; isolation: ${JSON.stringify(await isolator.check())}`,
);
const spawns: Readonly<Record<string, () => Promise<void>>> = {
  'bare spawn': bare,
  'our runner, PID namespace': () => run(undefined),
  'our runner, sandbox': () => run(limits),
};
const durations = Object.fromEntries(Object.keys(spawns).map((name) => [name, [] as number[]]));
// In turns, so that what else the machine does falls on all alike.
for (let round = -5; round < ROUNDS; round += 1) {
  for (const [name, start] of Object.entries(spawns)) {
    const duration = await time(start);
    if (round >= 0) durations[name]?.push(duration);
  }
}
for (const [name, values] of Object.entries(durations))
  console.log(`${name.padEnd(28)} ${showSummary(summarize(values))}`);
const p50 = (name: string): number => summarize(durations[name] ?? []).p50;
console.log(
  `an isolated run costs ${(p50('our runner, sandbox') - p50('bare spawn')).toFixed(1)} ms more than a bare spawn at P50`,
);

const facts = { hasExecutor: () => true, hasCredential: () => true, hasContext: () => true };
const rule = (index: number): PolicyRule => ({
  effect: index % 3 === 0 ? 'deny' : 'ask',
  resources: [`team${index}.**`, `demo.*.x${index}`, `**.other${index}*`],
  principals: ['role:x', 'agent'],
  when: { arguments: { name: { starts_with: `v${index}` } } },
});
const file: PolicyFile = { rules: Array.from({ length: RULES }, (_, index) => rule(index)) };
const action = sampleAction();
for (const [name, tiers] of [
  ['no rules', []],
  [`${RULES} rules`, [new PolicyTier('workspace', file)]],
] as const) {
  const policy = new Policy(facts, { tiersFor: () => tiers });
  const values: number[] = [];
  for (let round = 0; round < 2000; round += 1) {
    values.push(await time(() => policy.ruling(action, sampleContext(), { name: `w${round}` })));
  }
  console.log(`decision, ${name.padEnd(18)} ${showSummary(summarize(values.slice(500)))}`);
}

const audit = new AuditLog(new NodeDataStore(folder), clock, new NodeDigest());
for (const durability of ['synced', 'buffered'] as const) {
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    values.push(
      await time(() => audit.append({ kind: 'run_intent', resource: 'folder:demo.act' }, sampleContext(), durability)),
    );
  }
  console.log(`audit record, ${durability.padEnd(14)} ${showSummary(summarize(values.slice(5)))}`);
}
await rm(folder, { recursive: true, force: true });
