import { createHash, randomUUID } from 'node:crypto';
import type {
  ActionDefinition,
  Lookup,
  PackDefinition,
  PackResource,
  PolicyService,
  RecipeDefinition,
  RegistryView,
  Resource,
  ResourceResolver,
  RuntimeContext,
  Scope,
} from '../../../capabilities/models';
import type { Clock, Digest, Logger } from '../../../capabilities/ports';

export const WORKSPACE: Scope = { name: 'demo', kind: 'workspace', root: '/demo', definitions: '/demo/.capabilities' };

export type ActionSketch = Pick<ActionDefinition, 'action_id'> & Partial<ActionDefinition>;
export type PackSketch = Pick<PackDefinition, 'pack_id'> & Partial<PackDefinition>;
interface RecipeTexts {
  readonly recipe_id: string;
  readonly title?: string;
  readonly summary?: string;
  readonly body?: string;
  readonly steps?: RecipeDefinition['steps'];
  readonly intents?: string[];
  readonly entities?: string[];
  readonly enabled?: boolean;
}
export type RecipeSketch = RecipeTexts;
export type Sketch = ActionSketch | PackSketch | RecipeSketch;

const compare = (left: { key: string }, right: { key: string }): number => (left.key < right.key ? -1 : 1);

function idOf(sketch: Sketch): string {
  if ('action_id' in sketch) return sketch.action_id;
  return 'pack_id' in sketch ? sketch.pack_id : sketch.recipe_id;
}

function toResource(sketch: Sketch, scope: Scope): Resource {
  const id = idOf(sketch);
  const dot = id.lastIndexOf('.');
  const base = {
    id,
    key: `${scope.name}:${id}`,
    scope,
    parentId: dot < 0 ? undefined : id.slice(0, dot),
    source: undefined,
    hash: createHash('sha256').update(JSON.stringify(sketch)).digest('hex'),
    enabled: sketch.enabled !== false,
  };
  const texts = { version: 1, title: id, summary: id };
  if ('action_id' in sketch) {
    const definition: ActionDefinition = Object.assign(
      {
        ...texts,
        action_id: id,
        arguments_schema: { type: 'object', properties: {}, additionalProperties: false },
        handler: { type: 'command' as const, argv: ['true'] },
        side_effect: 'R' as const,
        risk_level: 'low' as const,
      },
      sketch,
    );
    return { ...base, type: 'action', definition };
  }
  if ('pack_id' in sketch) return { ...base, type: 'pack', definition: { ...texts, ...sketch } };
  return { ...base, type: 'recipe', definition: { ...texts, body: 'Steps.', ...sketch } as RecipeDefinition };
}

/** A registry in memory: packs above are implied, `set` and `remove` raise the revision. */
export class MemoryRegistry implements RegistryView {
  revision = 1;
  readonly #resources = new Map<string, Resource>();
  #sorted: readonly Resource[] | undefined;
  #byParent = new Map<string, Resource[]>();
  #byId = new Map<string, Resource[]>();

  constructor(sketches: readonly Sketch[], scope: Scope = WORKSPACE) {
    this.set(sketches, scope);
  }

  set(sketches: readonly Sketch[], scope: Scope = WORKSPACE): void {
    for (const sketch of sketches) {
      const resource = toResource(sketch, scope);
      this.#resources.set(resource.key, resource);
    }
    this.#implyPacks(scope);
    this.revision += 1;
    this.#sorted = undefined;
  }

  remove(key: string): void {
    this.#resources.delete(key);
    this.revision += 1;
    this.#sorted = undefined;
  }

  all(): readonly Resource[] {
    if (this.#sorted === undefined) {
      this.#sorted = [...this.#resources.values()].sort(compare);
      this.#byParent = new Map();
      this.#byId = new Map();
      for (const resource of this.#sorted) {
        const siblings = this.#byParent.get(resource.parentId ?? '') ?? [];
        siblings.push(resource);
        this.#byParent.set(resource.parentId ?? '', siblings);
        this.#byId.set(resource.id, [...(this.#byId.get(resource.id) ?? []), resource]);
      }
    }
    return this.#sorted;
  }

  get(key: string): Resource | undefined {
    return this.#resources.get(key);
  }

  lookup(reference: string): Lookup {
    const exact = this.#resources.get(reference);
    if (exact !== undefined) return { kind: 'found', resource: exact };
    this.all();
    const found = this.#byId.get(reference) ?? [];
    if (found.length > 1) return { kind: 'ambiguous', keys: found.map((resource) => resource.key) };
    return found[0] === undefined ? { kind: 'unknown' } : { kind: 'found', resource: found[0] };
  }

  children(packId: string | undefined): readonly Resource[] {
    this.all();
    return this.#byParent.get(packId ?? '') ?? [];
  }

  ancestors(resource: Resource): readonly PackResource[] {
    const segments = resource.id.split('.').slice(0, -1);
    return segments.flatMap((_, index) => {
      const pack = this.#resources.get(`${resource.scope.name}:${segments.slice(0, index + 1).join('.')}`);
      return pack?.type === 'pack' ? [pack] : [];
    });
  }

  #implyPacks(scope: Scope): void {
    for (const resource of [...this.#resources.values()]) {
      const segments = resource.id.split('.').slice(0, -1);
      segments.forEach((_, index) => {
        const id = segments.slice(0, index + 1).join('.');
        const key = `${resource.scope.name}:${id}`;
        if (!this.#resources.has(key)) this.#resources.set(key, toResource({ pack_id: id }, scope));
      });
    }
  }
}

export const CONTEXT: RuntimeContext = {
  host: 'cli',
  sessionId: 'session',
  principals: ['user'],
  os: 'linux',
  workspaceTrusted: true,
  featureFlags: new Set(),
};

/** Access lists as written; availability from `enabled` and the given map. */
export class MemoryPolicy implements PolicyService {
  readonly #reports: ReadonlyMap<string, ReturnType<PolicyService['availability']>>;

  constructor(reports: ReadonlyMap<string, ReturnType<PolicyService['availability']>> = new Map()) {
    this.#reports = reports;
  }

  may(permission: 'discover' | 'describe' | 'execute', resource: Resource, context: RuntimeContext): boolean {
    const allowed = resource.definition.acl?.[permission];
    return allowed === undefined || allowed.includes('*') || allowed.some((name) => context.principals.includes(name));
  }

  availability(resource: Resource, context: RuntimeContext): ReturnType<PolicyService['availability']> {
    if (!resource.enabled) return { availability: 'disabled', reasons: ['It is switched off.'] };
    if (!this.may('execute', resource, context))
      return { availability: 'execute_denied', reasons: ['You may not run it.'] };
    return this.#reports.get(resource.id) ?? { availability: 'available', reasons: [] };
  }
}

/** Resolves over a registry; what may not be discovered is unknown. */
export class MemoryResolver implements ResourceResolver {
  readonly #registry: RegistryView;
  readonly #policy: PolicyService;

  constructor(registry: RegistryView, policy: PolicyService) {
    this.#registry = registry;
    this.#policy = policy;
  }

  resolve(reference: string, context: RuntimeContext): ReturnType<ResourceResolver['resolve']> {
    const found = this.#registry.lookup(reference);
    if (found.kind === 'found' && this.#policy.may('discover', found.resource, context))
      return { ok: true, value: found.resource };
    if (found.kind === 'ambiguous') {
      return {
        ok: false,
        problem: { code: 'invalid_request', message: `"${reference}" stands in several scopes.`, retryable: false },
      };
    }
    return {
      ok: false,
      problem: { code: 'unknown_resource', message: `There is no "${reference}".`, retryable: false },
    };
  }
}

export const DIGEST: Digest = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  randomId: () => randomUUID().replaceAll('-', ''),
};

export const LOGGER: Logger = { log: () => undefined };

/** Time that moves only when told to. */
export class ManualClock implements Clock {
  #time = 0;
  readonly #sleepers: { until: number; wake: () => void }[] = [];

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      this.#sleepers.push({ until: this.#time + ms, wake: resolve });
      signal?.addEventListener('abort', () => {
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      });
    });
  }

  advance(ms: number): void {
    this.#time += ms;
    for (const sleeper of this.#sleepers) if (sleeper.until <= this.#time) sleeper.wake();
  }
}
