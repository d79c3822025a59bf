import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConfirmationTokens,
  tokenLifetimeMs,
  type Redemption,
} from '../../../capabilities/execution/confirmation-tokens';
import { NodeDataStore } from '../../../capabilities/node/node-data-store';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import type { FrozenPlan, RuntimeContext } from '../../../capabilities/models';
import { temporaryFolder } from '../node/temporary-folder';
import { HandClock, MemoryStore } from './memory-store';
import { samplePlan } from './sample-plan';
import { sampleContext } from './sample-resources';

const text = { title: 'Run?', detail: 'Command: x' };
const digest = new NodeDigest();

function subject(store = new MemoryStore(), clock = new HandClock()) {
  return { store, clock, tokens: new ConfirmationTokens(store, clock, digest) };
}

describe('a token', () => {
  it('runs one call after a person approved it, and no second one', async () => {
    const { tokens, store } = subject();
    const [plan, context] = [samplePlan(), sampleContext()];
    const token = await tokens.issue(plan, context, text);
    expect(await tokens.redeem(token, plan, context)).toBe('unapproved');
    expect(await tokens.inspect(token)).toMatchObject({
      state: 'pending',
      confirmation: { ...text, actionId: 'demo.act' },
    });
    expect(await tokens.approve(token)).toMatchObject({ state: 'approved' });
    expect(await tokens.approve(token)).toMatchObject({ state: 'approved' });
    expect(await tokens.redeem(token, plan, context)).toBe('redeemed');
    expect(await tokens.redeem(token, plan, context)).toBe('unknown');
    expect(await tokens.approve(token)).toEqual({ state: 'unknown' });
    expect(store.files.size).toBe(0);
  });

  it('is 128 random bits and is not stored, only its hash is', async () => {
    const folder = temporaryFolder();
    const tokens = new ConfirmationTokens(new NodeDataStore(folder), new HandClock(), digest);
    const token = await tokens.issue(samplePlan(), sampleContext(), text);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    const names = readdirSync(path.join(folder, 'confirmations'));
    expect(names).toEqual([`${digest.sha256(token)}.pending.json`]);
    expect(readFileSync(path.join(folder, 'confirmations', names[0] ?? ''), 'utf8')).not.toContain(token);
  });

  const plan = samplePlan({ arguments: { id: 1 } });
  const foreign: readonly [string, FrozenPlan, RuntimeContext][] = [
    ['another action', { ...plan, key: 'folder:demo.other' }, sampleContext()],
    ['another version', { ...plan, version: 2 }, sampleContext()],
    ['another contract', { ...plan, definitionHash: 'e'.repeat(64) }, sampleContext()],
    ['other arguments', { ...plan, argumentsHash: 'f'.repeat(64) }, sampleContext()],
    ['another plan', { ...plan, planHash: 'f'.repeat(64) }, sampleContext()],
    ['another session', plan, sampleContext({ sessionId: 'session-2' })],
  ];

  it.each(foreign)('does not run %s, and is not spoilt by it', async (_name, otherPlan, otherContext) => {
    const { tokens } = subject();
    const token = await tokens.issue(plan, sampleContext(), text);
    expect(await tokens.redeem(token, otherPlan, otherContext)).toBe('foreign');
    await tokens.approve(token);
    expect(await tokens.redeem(token, otherPlan, otherContext)).toBe('foreign');
    expect(await tokens.redeem(token, plan, sampleContext())).toBe('redeemed');
  });

  it.each(['', 'x', '0'.repeat(32), '../../etc/passwd', 'A'.repeat(32), '0'.repeat(33)])(
    '%j that was never issued runs nothing',
    async (token) => {
      const { tokens } = subject();
      expect(await tokens.redeem(token, plan, sampleContext())).toBe('unknown');
      expect(await tokens.approve(token)).toEqual({ state: 'unknown' });
    },
  );

  it.each(['{', 'null', '[]', '{"planHash":1}', '{"planHash":"x","expiresAt":"soon","issuedAt":1}', ''])(
    'whose file was replaced by %j confirms nothing',
    async (content) => {
      const { tokens, store } = subject();
      const token = await tokens.issue(plan, sampleContext(), text);
      await tokens.approve(token);
      store.files.set(`confirmations/${digest.sha256(token)}.approved.json`, content);
      expect(await tokens.redeem(token, plan, sampleContext())).toBe('unknown');
    },
  );

  it('is over after ten minutes, approved or not', async () => {
    const { tokens, clock } = subject();
    const token = await tokens.issue(plan, sampleContext(), text);
    await tokens.approve(token);
    clock.advance(tokenLifetimeMs - 1);
    expect(await tokens.inspect(token)).toMatchObject({ state: 'approved' });
    clock.advance(1);
    expect(await tokens.redeem(token, plan, sampleContext())).toBe('expired');
    expect(await tokens.approve(token)).toMatchObject({ state: 'expired' });
  });

  it('is cleared away when it is over and the next one is issued', async () => {
    const { tokens, clock, store } = subject();
    await tokens.issue(plan, sampleContext(), text);
    store.files.set('confirmations/garbage', 'x');
    clock.advance(tokenLifetimeMs);
    const token = await tokens.issue(plan, sampleContext(), text);
    expect([...store.files.keys()]).toEqual([`confirmations/${digest.sha256(token)}.pending.json`]);
  });

  it.each([
    ['a day ahead', 86_400_000],
    ['a year back', -365 * 86_400_000],
  ])('does not care in its own process when the wall clock jumps %s', async (_name, jump) => {
    const { tokens, clock } = subject();
    const token = await tokens.issue(plan, sampleContext(), text);
    clock.wall += jump;
    await tokens.approve(token);
    expect(await tokens.redeem(token, plan, sampleContext())).toBe('redeemed');
  });

  it.each([
    ['a day ahead', 86_400_000, 'expired'],
    ['an hour back', -3_600_000, 'expired'],
    ['a minute ahead', 60_000, 'approved'],
  ])('in another process, with the wall clock %s, is %s', async (_name, jump, state) => {
    const { tokens, clock, store } = subject();
    const token = await tokens.issue(plan, sampleContext(), text);
    clock.wall += jump;
    expect(await new ConfirmationTokens(store, clock, digest).approve(token)).toMatchObject({
      state: state === 'approved' ? 'approved' : 'expired',
    });
  });

  it('that ran out while it was claimed runs nothing', async () => {
    const { tokens, clock, store } = subject();
    const token = await tokens.issue(plan, sampleContext(), text);
    await tokens.approve(token);
    const claim = store.claim.bind(store);
    store.claim = async (name, claimed) => {
      clock.advance(tokenLifetimeMs);
      return claim(name, claimed);
    };
    expect(await tokens.redeem(token, plan, sampleContext())).toBe('expired');
  });

  it('whose file was exchanged while it was claimed runs nothing', async () => {
    const { tokens, store } = subject();
    const token = await tokens.issue(plan, sampleContext(), text);
    await tokens.approve(token);
    const claim = store.claim.bind(store);
    store.claim = async (name, claimed) => {
      const won = await claim(name, claimed);
      store.files.set(claimed, (store.files.get(claimed) ?? '').replace(plan.planHash, 'f'.repeat(64)));
      return won;
    };
    expect(await tokens.redeem(token, plan, sampleContext())).toBe('foreign');
  });
});

describe('a hundred calls with one token at the same time', () => {
  const plan = samplePlan();
  const count = (results: readonly Redemption[]): number => results.filter((result) => result === 'redeemed').length;

  it('run exactly once in memory, in every interleaving tried', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { tokens, store } = subject();
        const token = await tokens.issue(plan, sampleContext(), text);
        await tokens.approve(token);
        const claim = store.claim.bind(store);
        store.claim = (name, claimed) => scheduler.schedule(Promise.resolve()).then(() => claim(name, claimed));
        const all = Promise.all(Array.from({ length: 12 }, () => tokens.redeem(token, plan, sampleContext())));
        await scheduler.waitFor(all);
        expect(count(await all)).toBe(1);
      }),
      { numRuns: 50 },
    );
  });

  it('run exactly once on disk, with several stores as in several processes', async () => {
    const folder = temporaryFolder();
    for (let round = 0; round < 5; round += 1) {
      const clock = new HandClock();
      const many = Array.from({ length: 100 }, () => new ConfirmationTokens(new NodeDataStore(folder), clock, digest));
      const token = (await many[0]?.issue(plan, sampleContext(), text)) ?? '';
      await many[1]?.approve(token);
      const results = await Promise.all(many.map((tokens) => tokens.redeem(token, plan, sampleContext())));
      expect(count(results)).toBe(1);
      expect(readdirSync(path.join(folder, 'confirmations'))).toEqual([]);
    }
  });
});

// ------------------------------------------------------------------------------------- model-based state machine

interface ModelToken {
  readonly index: number;
  readonly owner: number;
  state: 'pending' | 'approved' | 'used';
  expires: number;
}

interface Model {
  time: number;
  readonly tokens: ModelToken[];
}

class Real {
  readonly clock = new HandClock();
  readonly store = new MemoryStore();
  /** Two processes: tokens issued by one are redeemed by the other as well. */
  readonly processes = [0, 1].map(() => new ConfirmationTokens(this.store, this.clock, digest));
  readonly issued: string[] = [];
}

const plans = [samplePlan({ arguments: { n: 0 } }), samplePlan({ arguments: { n: 1 } })];
type Command = fc.AsyncCommand<Model, Real>;

const isAny = (model: Readonly<Model>): boolean => model.tokens.length > 0;
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

const issue = (owner: number, process: number): Command => ({
  check: () => true,
  async run(model, real) {
    real.issued.push(await pick(real.processes, process).issue(pick(plans, owner), sampleContext(), text));
    model.tokens.push({ index: model.tokens.length, owner, state: 'pending', expires: model.time + tokenLifetimeMs });
  },
  toString: () => `issue(plan ${owner}) in ${process}`,
});

const approve = (which: number, process: number): Command => ({
  check: isAny,
  async run(model, real) {
    const token = pick(model.tokens, which);
    const result = await pick(real.processes, process).approve(pick(real.issued, token.index));
    const isAlive = token.state !== 'used' && model.time < token.expires;
    expect(result.state === 'approved').toBe(isAlive);
    if (isAlive) token.state = 'approved';
  },
  toString: () => `approve(${which}) in ${process}`,
});

const redeem = (which: number, plan: number, process: number): Command => ({
  check: isAny,
  async run(model, real) {
    const token = pick(model.tokens, which);
    const secret = pick(real.issued, token.index);
    const result = await pick(real.processes, process).redeem(secret, pick(plans, plan), sampleContext());
    const shouldRun = token.state === 'approved' && token.owner === plan && model.time < token.expires;
    expect(result === 'redeemed').toBe(shouldRun);
    if (shouldRun) token.state = 'used';
  },
  toString: () => `redeem(${which}, plan ${plan}) in ${process}`,
});

const wait = (ms: number): Command => ({
  check: () => true,
  run(model, real) {
    model.time += ms;
    real.clock.advance(ms);
    return Promise.resolve();
  },
  toString: () => `wait(${ms})`,
});

describe('tokens as a state machine', () => {
  it('behave like the model in every trace: no double use, no cross use, no use after expiry', async () => {
    const small = fc.nat(4);
    const bit = fc.nat(1);
    const commands = fc.commands(
      [
        fc.tuple(bit, bit).map(([owner, process]) => issue(owner, process)),
        fc.tuple(small, bit).map(([which, process]) => approve(which, process)),
        fc.tuple(small, bit, bit).map(([which, plan, process]) => redeem(which, plan, process)),
        fc.constantFrom(1, 60_000, tokenLifetimeMs / 2, tokenLifetimeMs).map((ms) => wait(ms)),
      ],
      { maxCommands: 25 },
    );
    await fc.assert(
      fc.asyncProperty(commands, (trace) =>
        fc.asyncModelRun(() => ({ model: { time: 0, tokens: [] }, real: new Real() }), trace),
      ),
      { numRuns: 500 },
    );
  });
});
