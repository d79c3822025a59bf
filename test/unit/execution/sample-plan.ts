import { canonicalJson } from '../../../capabilities/canonical-json';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import type { FrozenPlan } from '../../../capabilities/models';
import { sampleScope } from './sample-resources';

/** A frozen plan with a true hash; `change` replaces parts of it. */
export function samplePlan(change: Partial<FrozenPlan> = {}): FrozenPlan {
  const digest = new NodeDigest();
  const plan = {
    key: 'folder:demo.act',
    actionId: 'demo.act',
    version: 1,
    definitionHash: 'd'.repeat(64),
    title: 'Repair the PATH',
    sideEffect: 'W-local',
    riskLevel: 'medium',
    reversible: true,
    scope: sampleScope(),
    arguments: {},
    argumentsHash: digest.sha256(canonicalJson(change.arguments ?? {})),
    argv: ['/usr/bin/node', 'x.mjs'],
    script: undefined,
    fileHash: undefined,
    cwd: '/workspace',
    environment: { PATH: '/usr/bin', HOME: '/home/me' },
    hostEnvironment: ['PATH', 'HOME'],
    stdin: undefined,
    network: 'none',
    write: ['.'],
    isolation: { workspaceFolder: '/workspace', writable: [], protectedPaths: [], network: 'none' },
    affectedResources: [],
    timeoutMs: 60_000,
    requiresConfirmation: true,
    askedByPolicy: undefined,
    ...change,
  } as const;
  return { ...plan, planHash: change.planHash ?? digest.sha256(canonicalJson(plan)) };
}
