import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '../../../capabilities/execution/audit-log';
import type { AuditRecord } from '../../../capabilities/execution/audit-record';
import { verifyAudit } from '../../../capabilities/execution/audit-verify';
import { NodeDataStore } from '../../../capabilities/node/node-data-store';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { bundleProgram } from '../node/bundled-program';
import { temporaryFolder } from '../node/temporary-folder';
import { HandClock, MemoryStore } from './memory-store';
import { sampleContext } from './sample-resources';

const digest = new NodeDigest();
const event = (resource: string) => ({ kind: 'decision', resource, decision: 'refused' }) as const;

async function fill(store: MemoryStore, count: number): Promise<AuditLog> {
  const log = new AuditLog(store, new HandClock(), digest);
  for (let number = 0; number < count; number += 1) await log.append(event(`r${number}`), sampleContext(), 'buffered');
  return log;
}

const verify = (store: MemoryStore) => verifyAudit(store, digest);
const segmentOf = (store: MemoryStore): string => [...store.files.keys()].find((name) => name.endsWith('.jsonl')) ?? '';
const linesOf = (store: MemoryStore): string[] => (store.files.get(segmentOf(store)) ?? '').trimEnd().split('\n');
const headOf = (store: MemoryStore): string => segmentOf(store).replace('.jsonl', '.head.json');
const setLines = (store: MemoryStore, lines: readonly string[]): void => {
  store.files.set(segmentOf(store), lines.map((line) => `${line}\n`).join(''));
};

describe('a log that can not be read', () => {
  const filled = async (): Promise<NodeDataStore> => {
    const store = new NodeDataStore(path.join(temporaryFolder(), 'data'));
    await new AuditLog(store, new HandClock(), digest).append(event('r'), sampleContext(), 'buffered');
    return store;
  };

  it.each(['.jsonl', '.head.json'])(
    'is told by its %s file, which no process of ours makes a folder',
    async (ending) => {
      const store = await filled();
      const name = readdirSync(path.join(store.folder, 'audit')).find((file) => file.endsWith(ending)) ?? '';
      rmSync(path.join(store.folder, 'audit', name));
      mkdirSync(path.join(store.folder, 'audit', name));
      expect(await verifyAudit(store, digest)).toMatchObject({ isIntact: false, tampering: [{}] });
    },
  );

  it('is told as a whole', async () => {
    const store = await filled();
    rmSync(path.join(store.folder, 'audit'), { recursive: true });
    writeFileSync(path.join(store.folder, 'audit'), '');
    expect(await verifyAudit(store, digest)).toMatchObject({ isIntact: false, tampering: [{ segment: 'audit' }] });
  });
});

describe('AuditLog', () => {
  it('writes one chained record a line, with who, when and where', async () => {
    const store = new MemoryStore();
    const log = new AuditLog(store, new HandClock(), digest);
    const id = await log.append(
      { kind: 'run_intent', resource: 'folder:a', arguments: { x: 1 }, run_id: 'r' },
      sampleContext(),
      'synced',
    );
    const [start, record] = linesOf(store).map((line) => JSON.parse(line) as AuditRecord);
    expect(start).toMatchObject({ kind: 'segment_start', seq: 1, follows: [] });
    expect(record).toMatchObject({
      id,
      seq: 2,
      time: '2026-01-01T00:00:00.000Z',
      host: 'vscode',
      session: 'session-1',
      principals: ['user', 'agent', 'host:vscode'],
      arguments: { x: 1 },
      prev: start?.hash,
    });
    expect(await verify(store)).toEqual({
      isIntact: true,
      segments: 1,
      records: 2,
      tampering: [],
      warnings: [],
      interrupted: [expect.objectContaining({ id, resource: 'folder:a' })],
    });
  });

  it('keeps the order of concurrent calls', async () => {
    const store = new MemoryStore();
    const log = new AuditLog(store, new HandClock(), digest);
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, number) => log.append(event(`r${number}`), sampleContext(), 'buffered')),
    );
    expect(new Set(ids).size).toBe(30);
    expect(
      linesOf(store)
        .slice(1)
        .map((line) => (JSON.parse(line) as AuditRecord).resource),
    ).toEqual(ids.map((_, number) => `r${number}`));
    expect((await verify(store)).isIntact).toBe(true);
  });

  it('rejects when it can not write, and goes on in a new segment', async () => {
    const store = new MemoryStore();
    const log = await fill(store, 2);
    store.failure = 'disk full';
    await expect(log.append(event('lost'), sampleContext(), 'synced')).rejects.toThrow('disk full');
    await expect(log.append(event('lost too'), sampleContext(), 'synced')).rejects.toThrow('disk full');
    store.failure = undefined;
    await log.append(event('kept'), sampleContext(), 'synced');
    const report = await verify(store);
    expect(report).toMatchObject({ isIntact: true, segments: 2, records: 5 });
  });

  it('does not write behind a line whose head failed', async () => {
    const store = new MemoryStore();
    const log = await fill(store, 1);
    const write = store.write.bind(store);
    store.write = () => Promise.reject(new Error('no head'));
    await expect(log.append(event('unacknowledged'), sampleContext(), 'synced')).rejects.toThrow('no head');
    store.write = write;
    await log.append(event('next'), sampleContext(), 'synced');
    const report = await verify(store);
    expect(report).toMatchObject({ isIntact: true, segments: 2 });
    expect(report.warnings[0]?.what).toContain('not acknowledged');
  });
});

describe('verifyAudit', () => {
  let store: MemoryStore;
  beforeEach(async () => {
    store = new MemoryStore();
    await fill(store, 6);
  });

  it('passes an untouched log, and an empty one', async () => {
    expect(await verify(store)).toMatchObject({ isIntact: true, records: 7 });
    expect(await verify(new MemoryStore())).toEqual({
      isIntact: true,
      segments: 0,
      records: 0,
      tampering: [],
      warnings: [],
      interrupted: [],
    });
  });

  const forge = (line: string, change: object): string => {
    return JSON.stringify({ ...(JSON.parse(line) as AuditRecord), ...change, hash: 'f'.repeat(64) });
  };

  it.each<[string, (lines: string[]) => readonly string[], number | undefined, string]>([
    ['an edited record', (lines) => lines.with(3, (lines[3] ?? '').replace('refused', 'allowed')), 4, 'edited'],
    [
      'an edited record with a hash of its own',
      (lines) => lines.with(3, forge(lines[3] ?? '', { decision: 'allowed' })),
      4,
      'edited',
    ],
    ['white space', (lines) => lines.with(3, ` ${lines[3] ?? ''}`), 4, 'edited'],
    ['a key given twice', (lines) => lines.with(3, (lines[3] ?? '').replace('{', '{"kind":"x",')), 4, 'edited'],
    ['half a surrogate pair', (lines) => lines.with(3, (lines[3] ?? '').replace('refused', '\\ud800')), 4, 'edited'],
    ['a deleted record', (lines) => lines.toSpliced(3, 1), 4, 'does not follow'],
    ['a deleted first record', (lines) => lines.slice(1), 1, 'does not follow'],
    [
      'two records swapped',
      (lines) => [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)],
      4,
      'does not follow',
    ],
    ['a repeated record', (lines) => [...lines, lines.at(-1) ?? ''], 8, 'does not follow'],
    ['a truncated tail', (lines) => lines.slice(0, -1), undefined, 'cut off'],
    ['an emptied segment', () => [], undefined, 'cut off'],
    ['an appended line of text', (lines) => [...lines, 'hello'], 8, 'not a record'],
    ['an appended null', (lines) => [...lines, 'null'], 8, 'not a record'],
  ])('finds %s', async (_name, change, line, what) => {
    setLines(store, change(linesOf(store)));
    const report = await verify(store);
    expect(report.isIntact).toBe(false);
    expect(report.tampering).toEqual([
      expect.objectContaining({ line, what: expect.stringContaining(what) as string }),
    ]);
  });

  const sealed = (record: Omit<AuditRecord, 'hash'>): string => {
    const keys = Object.keys(record).sort();
    const canonical = `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(record[key as keyof typeof record])}`).join(',')}}`;
    return JSON.stringify(
      Object.fromEntries(
        Object.entries({ ...record, hash: digest.sha256(canonical) }).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    );
  };
  const follow = (line: string, more: object = {}): string => {
    const last = JSON.parse(line) as AuditRecord;
    return sealed({
      kind: 'decision',
      resource: 'forged',
      id: 'x',
      seq: last.seq + 1,
      time: last.time,
      prev: last.hash,
      ...more,
    });
  };

  it('finds records that were added with a correct chain, and reports a single one', async () => {
    const lines = linesOf(store);
    const first = follow(lines.at(-1) ?? '');
    setLines(store, [...lines, first]);
    expect(await verify(store)).toMatchObject({ isIntact: true, warnings: [{ line: 8 }] });
    setLines(store, [...lines, first, follow(first)]);
    expect(await verify(store)).toMatchObject({
      isIntact: false,
      tampering: [{ line: 8, what: expect.stringContaining('added to') as string }],
    });
  });

  it('finds a wrong number in a chain that was computed anew', async () => {
    const lines = linesOf(store);
    setLines(store, [...lines, follow(lines.at(-1) ?? '', { seq: 99 })]);
    expect(await verify(store)).toMatchObject({
      tampering: [{ line: 8, what: expect.stringContaining('number 99') as string }],
    });
  });

  it('finds a last record that was replaced by one with a correct chain', async () => {
    const lines = linesOf(store).slice(0, -1);
    setLines(store, [...lines, follow(lines.at(-1) ?? '')]);
    expect(await verify(store)).toMatchObject({ tampering: [{ what: expect.stringContaining('replaced') as string }] });
  });

  it.each(['', '{', 'null', '{"seq":"1"}'])('finds a head that was replaced by %j', async (text) => {
    store.files.set(headOf(store), text);
    expect(await verify(store)).toMatchObject({
      isIntact: false,
      tampering: [{ what: expect.stringContaining('head is not readable') as string }],
    });
  });

  it('finds a head that was deleted, a segment that was deleted, and both', async () => {
    const segment = segmentOf(store);
    const head = store.files.get(headOf(store)) ?? '';
    store.files.delete(headOf(store));
    expect(await verify(store)).toMatchObject({
      tampering: [{ what: expect.stringContaining('head was deleted') as string }],
    });
    store.files.set(headOf(store), head);
    await fill(store, 1);
    store.files.delete(segment);
    expect((await verify(store)).tampering.map((item) => item.what)).toEqual([
      expect.stringContaining('segment was deleted'),
      expect.stringContaining('a later segment names it'),
    ]);
    store.files.delete(segment.replace('.jsonl', '.head.json'));
    expect((await verify(store)).tampering).toHaveLength(1);
  });

  it('takes a torn last line for what a killed process leaves', async () => {
    store.files.set(segmentOf(store), `${store.files.get(segmentOf(store)) ?? ''}{"kind":"dec`);
    expect(await verify(store)).toMatchObject({
      isIntact: true,
      warnings: [{ line: 8, what: expect.stringContaining('torn tail, not acknowledged') as string }],
    });
  });

  it('does not take a torn line behind an unacknowledged record for an accident', async () => {
    const lines = linesOf(store);
    setLines(store, [...lines, follow(lines.at(-1) ?? '')]);
    store.files.set(segmentOf(store), `${store.files.get(segmentOf(store)) ?? ''}{"x`);
    expect(await verify(store)).toMatchObject({ isIntact: false });
  });

  it('accepts a first record that was torn before there was a head', async () => {
    const fresh = new MemoryStore();
    fresh.files.set('audit/x.jsonl', '{"ki');
    expect(await verify(fresh)).toMatchObject({ isIntact: true, warnings: [{ line: 1 }] });
  });

  it('lists runs without an outcome as interrupted, not as tampering', async () => {
    const log = new AuditLog(store, new HandClock(), digest);
    const intent = (run_id: string) =>
      log.append({ kind: 'run_intent', resource: run_id, run_id }, sampleContext(), 'synced');
    await intent('ended');
    await intent('killed');
    await log.append(
      { kind: 'run_outcome', resource: 'ended', run_id: 'ended', outcome: 'ok' },
      sampleContext(),
      'synced',
    );
    const report = await verify(store);
    expect(report.isIntact).toBe(true);
    expect(report.interrupted.map((run) => run.resource)).toEqual(['killed']);
  });

  it('finds any single changed byte', async () => {
    const original = store.files.get(segmentOf(store)) ?? '';
    await fc.assert(
      fc.asyncProperty(
        fc.nat(original.length - 1),
        fc.constantFrom('x', '0', '"', '\n', ' '),
        async (at, character) => {
          fc.pre(original[at] !== character);
          store.files.set(segmentOf(store), original.slice(0, at) + character + original.slice(at + 1));
          const report = await verify(store);
          // The very last line end is the only byte whose loss looks like a torn line, and then the head misses a record.
          expect(report.isIntact).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a process that is killed while it writes', () => {
  it('loses no acknowledged record and damages nothing', async () => {
    const folder = temporaryFolder();
    const program = await bundleProgram(path.join(import.meta.dirname, 'fixtures/audit-writer.ts'), folder);
    const data = path.join(folder, 'data');
    const acknowledged: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const writer = spawn(process.execPath, [program, data], { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      const enough = new Promise<void>((resolve) => {
        writer.stdout.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          if (output.split('\n').length > 3 + round) resolve();
        });
      });
      await enough;
      writer.kill('SIGKILL');
      await once(writer, 'close');
      acknowledged.push(...output.split('\n').slice(0, -1));
    }
    const report = await verifyAudit(new NodeDataStore(data), digest);
    expect(report.tampering).toEqual([]);
    expect(report.segments).toBe(20);
    const kept = readdirSync(path.join(data, 'audit'))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(path.join(data, 'audit', name), 'utf8'))
      .join('');
    for (const id of acknowledged) expect(kept).toContain(`"id":"${id}"`);
    expect(acknowledged.length).toBeGreaterThan(100);
  });

  it('leaves a log on disk in which a changed file is found', async () => {
    const data = temporaryFolder();
    const store = new NodeDataStore(data);
    const log = new AuditLog(store, new HandClock(), digest);
    await log.append(event('a'), sampleContext(), 'synced');
    await log.append(event('b'), sampleContext(), 'synced');
    const segment = path.join(
      data,
      'audit',
      readdirSync(path.join(data, 'audit')).find((name) => name.endsWith('.jsonl')) ?? '',
    );
    const original = readFileSync(segment, 'utf8');
    appendFileSync(segment, '{"torn');
    expect(await verifyAudit(store, digest)).toMatchObject({ isIntact: true, warnings: [{ line: 4 }] });
    writeFileSync(segment, original.replace('"resource":"a"', '"resource":"z"'));
    expect(await verifyAudit(store, digest)).toMatchObject({ isIntact: false });
    rmSync(segment);
    expect(await verifyAudit(store, digest)).toMatchObject({ isIntact: false });
  });
});
