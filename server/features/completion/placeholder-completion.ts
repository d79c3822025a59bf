import type { CompletionItem } from 'vscode-languageserver';
import { CompletionItemKind } from 'vscode-languageserver';
import type { Span } from '../../../capabilities/models';
import { markdown } from '../markdown-text';
import type { OutlinePath } from '../outline/outline-model';
import { keysAt, textAt, textsAt } from '../outline/outline-queries';
import { viewsAt } from '../schema/value-views';
import type { CompletionScope } from './completion-request';
import { sortGroups, sortTextOf, toCompletionItem } from './completion-request';
import type { ValueSlot } from './completion-slots';

interface Placeholder {
  readonly name: string;
  readonly detail: string;
  readonly documentation?: string | undefined;
}

/** `${args.…}` and the like, in the texts of a handler and in `affected_resources`. */
export function completePlaceholders(scope: CompletionScope, slot: ValueSlot): readonly CompletionItem[] {
  if (!takesPlaceholders(scope, slot.path)) return [];
  const replace = placeholderAt(scope, slot);
  if (replace === undefined) return [];
  const fillsSlot = replace.start === slot.replace.start && replace.end === slot.replace.end;
  const needsQuotes = slot.style === 'flow' && slot.quote === undefined;
  if (needsQuotes && !fillsSlot) return [];
  return placeholdersOf(scope).map(({ name, detail, documentation }, place) => {
    const label = `\${${name}}`;
    return toCompletionItem(scope, {
      label,
      kind: CompletionItemKind.Variable,
      replace,
      insert: `${fillsSlot ? slot.prefix : ''}${needsQuotes ? `"${label}"` : label}`,
      detail,
      documentation: documentation === undefined ? undefined : markdown(documentation),
      sortText: sortTextOf(sortGroups.value, place),
    });
  });
}

const FILLED_HANDLER_KEYS: ReadonlySet<unknown> = new Set(['argv', 'cwd', 'env', 'stdin']);

function takesPlaceholders({ context, registry }: CompletionScope, path: OutlinePath): boolean {
  const isFilled = path[0] === 'affected_resources' || (path[0] === 'handler' && FILLED_HANDLER_KEYS.has(path[1]));
  return isFilled && viewsAt(context, registry, path).some(({ types }) => types.includes('string'));
}

/** The placeholder that is being written at the cursor; an empty value may become one. */
function placeholderAt({ context, offset }: CompletionScope, slot: ValueSlot): Span | undefined {
  const before = context.text.slice(slot.replace.start, offset);
  const after = context.text.slice(offset, slot.replace.end);
  if (before === '' && after === '') return slot.replace;
  const open = /\$(\{[^{}$]*)?$/.exec(before);
  if (open === null) return undefined;
  const rest = /^[\w.-]*\}?/.exec(after)?.[0] ?? '';
  return { start: slot.replace.start + open.index, end: offset + (rest.endsWith('}') ? rest.length : 0) };
}

function placeholdersOf({ context }: CompletionScope): Placeholder[] {
  const { text, outline } = context;
  const properties = ['arguments_schema', 'properties'];
  const required = textsAt(text, outline.root, ['arguments_schema', 'required']);
  const args = keysAt(outline.root, properties).map((name) => {
    const type = textAt(text, outline.root, [...properties, name, 'type']) ?? 'any';
    return {
      name: `args.${name}`,
      detail: `${type}${required.includes(name) ? ', required' : ''}`,
      documentation: textAt(text, outline.root, [...properties, name, 'description']),
    };
  });
  const environment = textsAt(text, outline.root, ['handler', 'pass_env']).map((name) => ({
    name: `env.${name}`,
    detail: 'environment variable',
  }));
  const secrets = textsAt(text, outline.root, ['required_credentials']).map((name) => ({
    name: `secret.${name}`,
    detail: 'secret',
  }));
  const folder = {
    name: 'workspaceFolder',
    detail: 'folder',
    documentation: 'The workspace folder of the definition.',
  };
  return [...args, folder, ...environment, ...secrets];
}
