import type {
  ErrorReply,
  ListInput,
  ListReply,
  PolicyService,
  Problem,
  RegistryView,
  Resource,
  ResourceResolver,
  Result,
  RuntimeContext,
} from '../models';
import { decodeCursor, encodeCursor } from './list-cursor';
import { describeChild } from './list-child';
import { PackTree } from './pack-tree';

const DEFAULT_LIMIT = 20;
const CONVENTIONS_LENGTH = 2000;

/** Answers capability_list: what stands below a pack, in pages. */
export class ListService {
  readonly #registry: RegistryView;
  readonly #policy: PolicyService;
  readonly #resolver: ResourceResolver;
  readonly #tree: PackTree;

  constructor(registry: RegistryView, policy: PolicyService, resolver: ResourceResolver) {
    this.#registry = registry;
    this.#policy = policy;
    this.#resolver = resolver;
    this.#tree = new PackTree(registry, policy);
  }

  /** Fails with `unknown_resource` for a pack that is not there, `invalid_request` for an id that is no pack or a cursor of another listing. */
  list(input: ListInput, context: RuntimeContext): ListReply | ErrorReply {
    const pack = this.#resolvePack(input.within, context);
    if (!pack.ok) return { status: 'error', ...pack.problem };
    const depth = input.depth ?? 1;
    const types = input.types ?? [];
    const listing = JSON.stringify([pack.value?.key ?? null, [...types].sort(), depth]);
    const after = input.cursor === undefined ? '' : decodeCursor(listing, input.cursor);
    if (after === undefined) return { status: 'error', ...wrongCursor() };
    const all = this.#tree
      .below(pack.value, depth, context)
      .filter((resource) => types.length === 0 || types.includes(resource.type));
    const rest = all.filter((resource) => resource.key > after);
    const page = rest.slice(0, input.limit ?? DEFAULT_LIMIT);
    const lastKey = page.at(-1)?.key;
    const parts = { tree: this.#tree, policy: this.#policy, resolver: this.#resolver };
    return {
      within: input.within === undefined || pack.value === undefined ? null : input.within,
      ...this.#packFacts(pack.value, context),
      children: page.map((resource) => describeChild(resource, parts, context)),
      total_count: all.length,
      ...(rest.length > page.length && lastKey !== undefined ? { next_cursor: encodeCursor(listing, lastKey) } : {}),
      ...(all.length === 0 ? { advice: emptyAdvice(pack.value, types.length > 0) } : {}),
    };
  }

  #resolvePack(within: string | undefined, context: RuntimeContext): Result<Resource | undefined> {
    if (within === undefined || within.trim() === '') return { ok: true, value: undefined };
    const found = this.#resolver.resolve(within.trim(), context);
    if (!found.ok || found.value.type === 'pack') return found;
    return { ok: false, problem: notAPack(within, found.value.type) };
  }

  /** Title and rules of the pack, the rules of the packs above it first. */
  #packFacts(pack: Resource | undefined, context: RuntimeContext): Pick<ListReply, 'title' | 'conventions'> {
    if (pack?.type !== 'pack') return {};
    const chain = [...this.#registry.ancestors(pack), pack].filter((each) =>
      this.#policy.may('discover', each, context),
    );
    const conventions = chain.flatMap((each) => each.definition.conventions?.trim() ?? []).join('\n\n');
    const shown =
      conventions.length <= CONVENTIONS_LENGTH
        ? conventions
        : `${Array.from(conventions).slice(0, CONVENTIONS_LENGTH).join('')}… (capability_describe shows all)`;
    return { title: pack.definition.title, ...(shown === '' ? {} : { conventions: shown }) };
  }
}

function notAPack(within: string, type: Resource['type']): Problem {
  return {
    code: 'invalid_request',
    message: `"${within}" is not a pack but ${type === 'action' ? 'an action' : 'a recipe'}; it has no children. Call capability_describe with it.`,
    retryable: false,
    next_step: { tool: 'capability_describe', arguments: { resource_id: within } },
  };
}

function wrongCursor(): Problem {
  return {
    code: 'invalid_request',
    message:
      'The cursor does not belong to this listing. Call again without `cursor`, or with the same `within`, `types` and `depth` as the page it came from.',
    retryable: false,
    problems: [{ pointer: '/cursor', message: 'Not a cursor of this listing.' }],
  };
}

function emptyAdvice(pack: Resource | undefined, hasTypes: boolean): string {
  if (hasTypes) return 'Nothing of these types here. Call again without `types`, or with a greater `depth`.';
  if (pack === undefined)
    return 'No capability is registered in this workspace. Definitions are YAML files below `.capabilities/`.';
  return 'This pack is empty. Call capability_list without `within` to see the others.';
}
