/**
 * The grammar of placeholders in handlers, shared by the checks of definitions and by execution.
 *
 *     template    = { literal | "$${" | placeholder }
 *     placeholder = "${args." name "}" | "${env." NAME "}" | "${secret." NAME "}" | "${workspaceFolder}"
 *
 * `$${` stands for a literal `${`. Anything else that starts with `${` is an error, never silently literal text.
 */
import type { Span } from './models';

/** Piece of a template. Spans are UTF-16 offsets into the template's text. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'args' | 'env' | 'secret'; readonly name: string; readonly span: Span }
  | { readonly kind: 'workspaceFolder'; readonly span: Span };

/** What is wrong with a placeholder. */
export interface TemplateError {
  readonly code: 'unterminated' | 'unknown-kind' | 'invalid-name';
  readonly message: string;
  readonly span: Span;
}

/** Parts in order, neighbouring literals joined. With errors present the parts must not be used. */
export interface ParsedTemplate {
  readonly parts: readonly TemplatePart[];
  readonly errors: readonly TemplateError[];
}

const NAMES = {
  args: /^[A-Za-z_][A-Za-z0-9_-]*$/,
  env: /^[A-Za-z_][A-Za-z0-9_]*$/,
  secret: /^[A-Z][A-Z0-9_]*$/,
} as const;

const HOW_TO_ESCAPE = 'For a literal `${` write `$${`.';
const KNOWN = '`${args.name}`, `${env.NAME}`, `${secret.NAME}` and `${workspaceFolder}`';

/** Parses one string of a handler. Pure; linear in the text's length. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  const errors: TemplateError[] = [];
  let literal = '';
  let position = 0;
  while (position < text.length) {
    const dollar = text.indexOf('$', position);
    if (dollar === -1) break;
    literal += text.slice(position, dollar);
    if (text.startsWith('$${', dollar)) {
      literal += '${';
      position = dollar + 3;
    } else if (text.startsWith('${', dollar)) {
      const found = parsePlaceholder(text, dollar);
      if ('code' in found) {
        errors.push(found);
        literal += text.slice(dollar, found.span.end);
      } else {
        if (literal !== '') parts.push({ kind: 'literal', text: literal });
        literal = '';
        parts.push(found);
      }
      position = found.span.end;
    } else {
      literal += '$';
      position = dollar + 1;
    }
  }
  literal += text.slice(position);
  if (literal !== '') parts.push({ kind: 'literal', text: literal });
  return { parts, errors };
}

type Placeholder = Exclude<TemplatePart, { kind: 'literal' }>;

/** Reads the placeholder whose `${` stands at `start`. */
function parsePlaceholder(text: string, start: number): Placeholder | TemplateError {
  const close = text.indexOf('}', start + 2);
  const next = text.indexOf('${', start + 2);
  // A new `${` before the `}` means that this one was never closed: blame the right one.
  if (close === -1 || (next !== -1 && next < close)) {
    const span = { start, end: next === -1 ? text.length : next };
    return { code: 'unterminated', message: `The placeholder is not closed with \`}\`. ${HOW_TO_ESCAPE}`, span };
  }
  const span = { start, end: close + 1 };
  const inner = text.slice(start + 2, close);
  if (inner === 'workspaceFolder') return { kind: 'workspaceFolder', span };
  const dot = inner.indexOf('.');
  const kind = dot === -1 ? inner : inner.slice(0, dot);
  if (kind !== 'args' && kind !== 'env' && kind !== 'secret') {
    const message = `\`\${${inner}}\` is not a placeholder. Known are ${KNOWN}. ${HOW_TO_ESCAPE}`;
    return { code: 'unknown-kind', message, span };
  }
  const name = dot === -1 ? '' : inner.slice(dot + 1);
  if (!NAMES[kind].test(name)) return { code: 'invalid-name', message: describeName(kind, name), span };
  return { kind, name, span };
}

function describeName(kind: 'args' | 'env' | 'secret', name: string): string {
  if (name === '')
    return `The placeholder names nothing: write \`\${${kind}.NAME}\` with the name of ${SUBJECTS[kind]}.`;
  if (kind === 'args') {
    return `\`${name}\` can't be used in a placeholder: it takes the name of one top-level argument (letters, digits, \`_\`, \`-\`).`;
  }
  const letters = kind === 'secret' ? 'upper-case letters' : 'letters';
  return `\`${name}\` is not the name of ${SUBJECTS[kind]}: use ${letters}, digits and \`_\`, not starting with a digit.`;
}

const SUBJECTS = { args: 'an argument', env: 'an environment variable', secret: 'a secret' } as const;
