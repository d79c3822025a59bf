import { expect, it } from 'vitest';
import { BubblewrapIsolator } from '../../../../capabilities/node/isolation/bubblewrap-isolator';
import { bubblewrapArguments } from '../../../../capabilities/node/isolation/bubblewrap-arguments';
import { explainCanary, runCanary } from '../../../../capabilities/node/isolation/isolation-canary';
import { sandboxMounts, type PlaceKind } from '../../../../capabilities/node/isolation/sandbox-view';
import { buildSeccompFilter } from '../../../../capabilities/node/isolation/seccomp-filter';
import { sharedIsolator } from '../shared-isolator';

const facts = { home: '/home/me', dataFolder: '/home/me/.local/share/layer' };

it('works on this machine, and is tried once', async () => {
  const first = sharedIsolator.check();
  expect(sharedIsolator.check()).toBe(first);
  expect(await first).toEqual({ available: true, backend: 'bubblewrap' });
});

it.each([
  ['another system', { platform: 'darwin' as const }, 'Linux only'],
  ['a processor without a filter', { architecture: 'riscv64' }, 'riscv64'],
  ['a machine without bubblewrap', { findTool: () => undefined }, 'not installed'],
])('says what is missing on %s, and what to do', async (_, change, reason) => {
  const report = await new BubblewrapIsolator({ ...facts, ...change }).check();
  expect(report).toMatchObject({ available: false, reason: expect.stringContaining(reason) as string });
  expect('fix' in report && report.fix.length > 20).toBe(true);
});

it('says so when bubblewrap does not start', async () => {
  const isolator = new BubblewrapIsolator({
    ...facts,
    findTool: (name) => (name === 'bwrap' ? '/bin/false' : `/usr/bin/${name}`),
  });
  expect(await isolator.check()).toMatchObject({
    available: false,
    reason: expect.stringContaining('does not start') as string,
  });
});

it('finds out that a fence does not hold', async () => {
  const open = ({
    argv,
  }: {
    argv: readonly string[];
  }): Promise<{ words: string[]; descriptors: []; release: () => Promise<void> }> =>
    Promise.resolve({ words: [...argv], descriptors: [], release: () => Promise.resolve() });
  const result = await runCanary(open);
  expect(result).toMatchObject({ kind: 'tried' });
  const { escapes } = result as { escapes: readonly string[] };
  expect([...escapes].sort()).toEqual([
    'connect to a port of this machine',
    'open a unix socket',
    'see other processes',
    'write in a workspace that may only be read',
    'write where it must not',
  ]);
  expect(explainCanary(result)).toMatchObject({ available: false });
});

it.each([
  ['bwrap: setting up uid map: Permission denied', 'AppArmor'],
  ['bwrap: No permissions to create new namespace', 'unprivileged_userns'],
  ["bwrap: Can't mount proc", 'Update bubblewrap'],
])('names the way out of "%s"', (detail, fix) => {
  expect(explainCanary({ kind: 'failed', detail })).toMatchObject({
    available: false,
    fix: expect.stringContaining(fix) as string,
  });
});

it('mounts what is nearer to the root first, so that the more precise statement wins', () => {
  const kinds: Record<string, PlaceKind> = { '/home/me/.ssh': 'folder', '/home/me/.netrc': 'file', '/tmp': 'folder' };
  const kindOf = (place: string): PlaceKind => kinds[place] ?? (place.startsWith('/tmp/ws') ? 'folder' : 'missing');
  const request = {
    workspaceFolder: '/tmp/ws',
    writable: [
      { path: '/tmp/ws', kind: 'folder' as const },
      { path: '/tmp/ws/.git/refs', kind: 'folder' as const },
    ],
    protectedPaths: ['/tmp/ws/.git'],
    network: 'none' as const,
    pinnedFiles: [{ path: '/tmp/ws/run.mjs', bytes: Buffer.from('x') }],
    programs: ['/usr/bin/node'],
    cwd: '/tmp/ws',
  };
  const namesIn = (folder: string): readonly string[] => (folder === '/tmp/ws' ? ['lib', 'run.mjs'] : []);
  const mounts = sandboxMounts(request, { ...facts, kindOf, namesIn, isRoot: false }, 5);
  const words = bubblewrapArguments({
    mounts,
    network: 'none',
    cwd: '/tmp/ws',
    filterDescriptor: 3,
    statusDescriptor: 4,
  });
  expect(words.join(' ')).toBe(
    '--unshare-all --unshare-user --disable-userns --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc ' +
      '--tmpfs /tmp --bind /tmp/ws /tmp/ws ' +
      '--ro-bind /tmp/ws/.git /tmp/ws/.git --tmpfs /home/me/.ssh --ro-bind /dev/null /home/me/.netrc ' +
      '--perms 0555 --file 5 /run/capability/run.mjs --symlink /tmp/ws/lib /run/capability/lib ' +
      '--bind /tmp/ws/.git/refs /tmp/ws/.git/refs ' +
      '--chdir /tmp/ws --seccomp 3 --json-status-fd 4',
  );
});

it('shares the network only where any host may be reached', () => {
  const plan = { mounts: [], cwd: '/', filterDescriptor: 3, statusDescriptor: 4 } as const;
  expect(bubblewrapArguments({ ...plan, network: 'any' })).toContain('--share-net');
  expect(bubblewrapArguments({ ...plan, network: 'none' })).not.toContain('--share-net');
});

/** Runs a filter as the kernel does, on the number, the architecture and the arguments of one call. */
function judge(filter: Buffer, call: { nr: number; arch: number; args?: readonly number[] }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.nr, 0);
  data.writeUInt32LE(call.arch, 4);
  (call.args ?? []).forEach((value, index) => data.writeUInt32LE(value, 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, jt, jf, k] = [0, 2, 3, 4].map((offset) =>
      offset === 0
        ? filter.readUInt16LE(at * 8)
        : offset === 4
          ? filter.readUInt32LE(at * 8 + 4)
          : filter.readUInt8(at * 8 + offset),
    ) as [number, number, number, number];
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x15) at += accumulator === k ? jt : jf;
    else if (code === 0x35) at += accumulator >= k ? jt : jf;
    else if (code === 0x06) return k;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

const ALLOWED = 0x7fff0000;
const REFUSED = 0x00050001;
const KILLED = 0x80000000;

it.each([
  ['x64', 0xc000003e, { socket: 41, ioctl: 16, read: 0, ptrace: 101 }],
  ['arm64', 0xc00000b7, { socket: 198, ioctl: 29, read: 63, ptrace: 117 }],
] as const)('the filter of %s lets ordinary calls through and refuses the others', (architecture, arch, calls) => {
  const filter = buildSeccompFilter(architecture)!;
  const verdict = (nr: number, ...args: number[]): number => judge(filter, { nr, arch, args });
  expect(verdict(calls.read)).toBe(ALLOWED);
  expect([2, 10, 16].map((family) => verdict(calls.socket, family))).toEqual([ALLOWED, ALLOWED, ALLOWED]);
  expect([1, 17, 31, 38, 40].map((family) => verdict(calls.socket, family))).toEqual(Array(5).fill(REFUSED));
  expect([0x5412, 0x541c].map((request) => verdict(calls.ioctl, 0, request))).toEqual([REFUSED, REFUSED]);
  expect(verdict(calls.ioctl, 0, 0x5401)).toBe(ALLOWED);
  expect([calls.ptrace, 425, 428, 430, 442].map((nr) => verdict(nr))).toEqual(Array(5).fill(REFUSED));
  expect(judge(filter, { nr: calls.read, arch: 0x40000003 })).toBe(KILLED);
});

it('the filter of x64 refuses the second table of calls', () => {
  expect(judge(buildSeccompFilter('x64')!, { nr: 0x40000000 + 41, arch: 0xc000003e, args: [2] })).toBe(REFUSED);
});
