import { describe, expect, it } from 'vitest';
import { ConfirmationService, type ConfirmationCase } from '../../../capabilities/execution/confirmation';
import { localizeInEnglish } from '../../../capabilities/execution/confirmation-messages';
import { ConfirmationTokens, tokenLifetimeMs } from '../../../capabilities/execution/confirmation-tokens';
import { SessionGrants } from '../../../capabilities/execution/session-grants';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import type { ConfirmationAnswer, FrozenPlan } from '../../../capabilities/models';
import type { ConfirmationRequest } from '../../../capabilities/ports';
import { HandClock, MemoryStore } from './memory-store';
import { samplePlan } from './sample-plan';
import { sampleContext } from './sample-resources';

function subject(answer: ConfirmationAnswer) {
  const digest = new NodeDigest();
  const clock = new HandClock();
  const tokens = new ConfirmationTokens(new MemoryStore(), clock, digest);
  const asked: ConfirmationRequest[] = [];
  const confirmer = {
    confirm: (request: ConfirmationRequest) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
    approvePack: () => Promise.resolve('approved' as const),
  };
  const service = new ConfirmationService(confirmer, tokens, new SessionGrants(digest), localizeInEnglish);
  return { service, tokens, asked, clock };
}

function call(plan: FrozenPlan, more: Partial<ConfirmationCase> = {}): ConfirmationCase {
  return { plan, context: sampleContext(), token: undefined, signal: new AbortController().signal, ...more };
}

describe('ConfirmationService', () => {
  it('asks nobody when no confirmation is needed', async () => {
    const { service, asked } = subject('declined');
    expect(await service.decide(call(samplePlan({ requiresConfirmation: false })))).toEqual({
      kind: 'confirmed',
      how: 'not_needed',
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ['run_once', { kind: 'confirmed', how: 'dialog' }],
    ['declined', { kind: 'refused', problem: { code: 'confirmation_declined', retryable: false } }],
  ] as const)('passes %s on, and asks again the next time', async (answer, decision) => {
    const { service, asked } = subject(answer);
    expect(await service.decide(call(samplePlan()))).toMatchObject(decision);
    await service.decide(call(samplePlan()));
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ title: 'Run "Repair the PATH"?', canAllowForSession: true });
  });

  it('allows exactly the same call for the session', async () => {
    const { service, asked } = subject('allow_for_session');
    const plan = samplePlan({ arguments: { a: 1 } });
    expect(await service.decide(call(plan))).toMatchObject({ how: 'dialog_for_session' });
    expect(await service.decide(call(samplePlan({ arguments: { a: 1 } })))).toMatchObject({ how: 'session_grant' });
    expect(asked).toHaveLength(1);
    await service.decide(call(samplePlan({ arguments: { a: 2 } })));
    await service.decide(call(samplePlan({ arguments: { a: 1 }, fileHash: 'changed' })));
    await service.decide(call({ ...plan, definitionHash: 'changed' }));
    await service.decide(call(plan, { context: sampleContext({ sessionId: 'other' }) }));
    expect(asked).toHaveLength(5);
  });

  it.each([
    { sideEffect: 'W-shared' },
    { sideEffect: 'I' },
    { sideEffect: 'R' },
    { riskLevel: 'high' },
    { riskLevel: 'critical' },
  ] as const)('never allows more than one run of %j, whatever the host answers', async (change) => {
    const { service, asked } = subject('allow_for_session');
    await service.decide(call(samplePlan(change)));
    await service.decide(call(samplePlan(change)));
    expect(asked.map((request) => request.canAllowForSession)).toEqual([false, false]);
  });

  it('takes an answer that came with a cancellation for none', async () => {
    const { service } = subject('run_once');
    const decision = await service.decide(call(samplePlan(), { signal: AbortSignal.abort() }));
    expect(decision).toMatchObject({ kind: 'refused', problem: { code: 'cancelled' } });
  });

  it('issues a token where no dialog can be shown; a person approves it; it runs once', async () => {
    const { service, tokens } = subject('unavailable');
    const plan = samplePlan();
    const first = await service.decide(call(plan));
    if (first.kind !== 'ticket') throw new Error('a ticket was expected');
    const { token, expiresInSeconds } = first.ticket;
    expect(expiresInSeconds).toBe(600);
    expect(await service.decide(call(plan, { token }))).toMatchObject({
      problem: { code: 'confirmation_required', message: expect.stringContaining('No person') as string },
    });
    await tokens.approve(token);
    expect(await service.decide(call(samplePlan({ arguments: { x: 1 } }), { token }))).toMatchObject({
      problem: { code: 'confirmation_required', message: expect.stringContaining('another call') as string },
    });
    expect(await service.decide(call(plan, { token }))).toEqual({ kind: 'confirmed', how: 'token' });
    expect(await service.decide(call(plan, { token }))).toMatchObject({
      problem: { code: 'confirmation_required', message: expect.stringContaining('used already') as string },
    });
  });

  it('refuses an expired token, and never asks in its place', async () => {
    const { service, tokens, clock, asked } = subject('unavailable');
    const ticket = await service.decide(call(samplePlan()));
    const token = ticket.kind === 'ticket' ? ticket.ticket.token : '';
    await tokens.approve(token);
    clock.advance(tokenLifetimeMs);
    expect(await service.decide(call(samplePlan(), { token }))).toMatchObject({
      problem: { code: 'confirmation_expired' },
    });
    expect(asked).toHaveLength(1);
  });
});
