import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../capabilities/engine';
import { localizeInEnglish } from '../../capabilities/execution/confirmation-messages';
import type { ErrorReply, RunReply, RuntimeContext } from '../../capabilities/models';
import { NodeDataStore } from '../../capabilities/node/node-data-store';
import { nodePaths } from '../../capabilities/node/node-paths';
import { createNodePorts } from '../../capabilities/node/node-ports';
import type { ConfirmationRequest } from '../../capabilities/ports';
import { makeScopes } from '../../capabilities/scopes';
import { createTools, type Tools } from '../../capabilities/tools/all-tools';
import { temporaryFolder } from './node/temporary-folder';

const pack = (id: string, next: string): string => `action_id: ${id}
version: 1
title: Say ${id}
summary: Says something about invoices.
aliases: [say ${id}]
arguments_schema: { type: object, properties: { to: { type: string, default: you } } }
handler: { type: command, argv: [echo, '\${args.to}'] }
side_effect: R
risk_level: low
next_actions: [${next}]
`;
const options = { signal: new AbortController().signal };
const context: RuntimeContext = {
  ...{ host: 'cli', sessionId: 'policy', principals: ['agent'], os: 'linux', workspaceTrusted: true },
  featureFlags: new Set(),
};

let root: string;
let own: string;
let engine: Engine;
let tools: Tools;
let asked: ConfirmationRequest[];

beforeEach(() => {
  root = temporaryFolder();
  own = temporaryFolder();
  asked = [];
  mkdirSync(path.join(root, '.capabilities'));
  writeFileSync(
    path.join(root, '.capabilities/pack.yaml'),
    [pack('shop.open', 'shop.secret'), pack('shop.secret', 'shop.open')].join('---\n'),
  );
});

async function open(policies: { readonly workspace?: string; readonly user?: string }): Promise<void> {
  if (policies.workspace !== undefined) writeFileSync(path.join(root, '.capabilities/policy.yaml'), policies.workspace);
  if (policies.user !== undefined) writeFileSync(path.join(own, 'policy.yaml'), policies.user);
  engine = new Engine({
    ...createNodePorts(),
    store: new NodeDataStore(temporaryFolder()),
    logger: { log: () => undefined },
    confirmer: {
      confirm: (request) => {
        asked.push(request);
        return Promise.resolve('run_once');
      },
      approvePack: () => Promise.resolve('approved'),
    },
    localize: localizeInEnglish,
  });
  tools = createTools(engine);
  await engine.load(makeScopes([{ name: 'shop', path: root }], [own], nodePaths));
}

const run = (id: string, args: object = {}): Promise<RunReply | ErrorReply> =>
  tools.run.execute({ action_id: id, arguments: args }, context, options);

describe('a rule', () => {
  it('of the workspace refuses a run with its reason', async () => {
    await open({ workspace: 'rules: [{ effect: deny, resources: [shop.secret], reason: closed today }]' });
    expect(await run('shop.open')).toMatchObject({ status: 'ok', output: 'you\n' });
    const refused = (await run('shop.secret')) as ErrorReply;
    expect(refused).toMatchObject({ code: 'execute_denied', retryable: false });
  });

  it('on arguments refuses the calls it is about and no others, after defaults', async () => {
    const when = '{ arguments: { to: { one_of: [you, everybody] } } }';
    await open({ workspace: `rules: [{ effect: deny, resources: [shop.open], when: ${when}, reason: not to them }]` });
    expect(await run('shop.open', { to: 'me' })).toMatchObject({ status: 'ok' });
    for (const args of [{}, { to: 'everybody' }]) {
      const refused = (await run('shop.open', args)) as ErrorReply;
      expect(refused).toMatchObject({ code: 'execute_denied' });
      expect(refused.message).toContain('workspace rule 1: not to them');
    }
  });

  it('can make a person confirm what needs no confirmation by itself, and says so in the dialog', async () => {
    await open({ user: 'rules: [{ effect: ask, resources: ["shop.**"], reason: I want to see it }]' });
    expect(await run('shop.open')).toMatchObject({ status: 'ok' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.detail).toContain('Asked because of a policy: "user rule 1: I want to see it"');
    expect(await run('shop.open')).toMatchObject({ status: 'ok' });
    expect(asked).toHaveLength(2);
  });

  it('of the user is not widened by the workspace', async () => {
    await open({ user: 'default: deny', workspace: 'rules: [{ effect: allow }]' });
    expect(await run('shop.open')).toMatchObject({ code: 'execute_denied' });
  });

  it('holds from the moment the file is saved, and no longer than it is there', async () => {
    await open({});
    const file = path.join(root, '.capabilities/policy.yaml');
    writeFileSync(file, 'default: deny');
    await engine.refresh(file);
    expect(await run('shop.open')).toMatchObject({ code: 'execute_denied' });
    writeFileSync(file, 'default: [');
    await engine.refresh(file);
    const refused = (await run('shop.open')) as ErrorReply;
    expect(refused).toMatchObject({ code: 'execute_denied' });
    rmSync(file);
    await engine.refresh(file);
    expect(await run('shop.open')).toMatchObject({ status: 'ok' });
  });
});

describe('what may not be discovered', () => {
  const hide = 'rules: [{ effect: deny, permissions: [discover], resources: [shop.secret] }]';

  it('is answered exactly as what does not exist', async () => {
    await open({ workspace: hide });
    const plain = (reply: object, id: string): string => JSON.stringify(reply).replaceAll(id, 'ID');
    for (const call of [
      (id: string) => tools.describe.execute({ resource_id: id }, context, options),
      (id: string) => tools.list.execute({ within: id }, context, options),
      (id: string) => run(id),
    ]) {
      expect(plain(await call('shop.secret'), 'shop.secret')).toBe(plain(await call('shop.secred'), 'shop.secred'));
    }
  });

  it('is in no hit, no count, no reference and no error', async () => {
    await open({ workspace: hide });
    const replies = [
      await tools.search.execute({ query: 'say shop.secret about invoices' }, context, options),
      await tools.search.execute({ query: 'invoices' }, context, options),
      await tools.list.execute({ within: 'shop', depth: 3 }, context, options),
      await tools.describe.execute({ resource_id: 'shop.open' }, context, options),
      await run('shop.open'),
      await run('shop.secre'),
    ];
    for (const reply of replies) {
      // A reply repeats what was asked, and nothing else of it.
      const shown = JSON.stringify({ ...reply, query: '' });
      expect(shown).not.toContain('secret');
    }
  });
});
