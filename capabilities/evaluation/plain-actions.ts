import type { ActionDefinition } from '../models';
import type { PlainTool } from './plain-dataset';

/** The action that a plain tool becomes. */
export interface PlainAction {
  /** Id of the tool in its dataset. */
  readonly toolId: string;
  /** Legal resource id, one to one with `toolId`. */
  readonly actionId: string;
  readonly definition: ActionDefinition;
}

/** What a name or category becomes as one segment of an id; empty when no ASCII letter or digit is in it. */
function toSegment(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replaceAll(/^[_-]+|_+$/g, '');
}

/** Gives each distinct text its own segment: a second one that looks the same gets a number. */
class SegmentNames {
  readonly #known = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #fallback: string;

  constructor(fallback: string) {
    this.#fallback = fallback;
  }

  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const base = toSegment(text) || this.#fallback;
    let segment = base;
    for (let count = 2; this.#taken.has(segment); count += 1) segment = `${base}_${count}`;
    this.#taken.add(segment);
    this.#known.set(text, segment);
    return segment;
  }
}

/**
 * Turns plain tools into actions: id → a legal id, name → title, description → summary, when_to_use, args → arguments_schema,
 * category → the pack above. Nothing else is filled in, and no query is looked at.
 */
export function toPlainActions(tools: readonly PlainTool[]): readonly PlainAction[] {
  const packs = new SegmentNames('pack');
  const names = new SegmentNames('tool');
  return tools.map((tool) => {
    const name = names.of(tool.id);
    const actionId = tool.category === undefined ? name : `${packs.of(tool.category)}.${name}`;
    return { toolId: tool.id, actionId, definition: toDefinition(tool, actionId) };
  });
}

function toDefinition(tool: PlainTool, actionId: string): ActionDefinition {
  return {
    action_id: actionId,
    version: 1,
    title: tool.title ?? tool.name,
    summary: tool.description,
    // Where there is a title of its own, the name stays searchable as it is spelled.
    ...(tool.title === undefined ? {} : { aliases: [tool.name] }),
    ...(tool.when_to_use === undefined ? {} : { when_to_use: [...tool.when_to_use] }),
    arguments_schema: { ...(tool.args ?? { properties: {} }), type: 'object' },
    // A plain tool says nothing about its effect; the weakest one keeps risk out of the order.
    handler: { type: 'command', argv: ['true'] },
    side_effect: 'R',
    risk_level: 'low',
  };
}
