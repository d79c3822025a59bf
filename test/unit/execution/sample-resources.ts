import { canonicalJson } from '../../../capabilities/canonical-json';
import type {
  ActionDefinition,
  ActionResource,
  PackResource,
  RuntimeContext,
  Scope,
} from '../../../capabilities/models';
import { NodeDigest } from '../../../capabilities/node/node-digest';

/** A workspace folder's scope. */
export function sampleScope(root = '/workspace', kind: Scope['kind'] = 'workspace'): Scope {
  return { name: kind === 'user' ? 'user' : 'folder', kind, root, definitions: `${root}/.capabilities` };
}

/** A harmless action; `change` replaces parts of its definition. */
export function sampleAction(
  change: Partial<ActionDefinition> = {},
  scope = sampleScope(),
  enabled = true,
): ActionResource {
  const definition: ActionDefinition = {
    action_id: 'demo.act',
    version: 1,
    title: 'Act',
    summary: 'Acts.',
    arguments_schema: { type: 'object', properties: {}, additionalProperties: false },
    handler: { type: 'command', argv: ['true'] },
    side_effect: 'R',
    risk_level: 'low',
    ...change,
  };
  const id = definition.action_id;
  return {
    type: 'action',
    id,
    key: `${scope.name}:${id}`,
    scope,
    parentId: 'demo',
    definition,
    source: undefined,
    hash: new NodeDigest().sha256(canonicalJson(definition)),
    enabled,
  };
}

/** The pack above it. */
export function samplePack(change: Partial<PackResource['definition']> = {}, scope = sampleScope()): PackResource {
  const definition = { pack_id: 'demo', version: 1, title: 'Demo', summary: 'A pack.', ...change };
  return {
    type: 'pack',
    id: 'demo',
    key: `${scope.name}:demo`,
    scope,
    parentId: undefined,
    definition,
    source: undefined,
    hash: 'h',
    enabled: true,
  };
}

/** A trusted workspace in VS Code, an agent asking for the user. */
export function sampleContext(change: Partial<RuntimeContext> = {}): RuntimeContext {
  return {
    host: 'vscode',
    sessionId: 'session-1',
    principals: ['user', 'agent', 'host:vscode'],
    os: 'linux',
    workspaceTrusted: true,
    featureFlags: new Set(),
    ...change,
  };
}
