/**
 * Turns a document's text into concrete syntax tokens, and stops before anything gets dangerous.
 *
 * `yaml` 2.9.1 composes recursively; a process that composes a very deep document twice is aborted by V8, and no
 * try/catch helps. Its parser keeps an explicit stack, so the limits are checked on that stack after every token: what
 * is too deep or too wide is never composed, and never even parsed to its end.
 */
import { CST, Lexer, Parser } from 'yaml';
import type { Diagnostic } from '../models';
import type { DocumentChunk } from './document-splitter';
import { tooLarge } from './text-checks';

/** Maps and lists inside each other. */
export const MAX_NESTING = 64;
/** Keys of one map. */
export const MAX_KEYS = 1000;
/** Tokens of one file: bounds the time a file can take, whatever it is made of. */
export const MAX_TOKENS = 30_000;

/** Tokens that are still allowed in the file. */
export interface TokenBudget {
  remaining: number;
}

/** Tokens of a document, or why it must not be composed. */
export interface GuardedSyntax {
  readonly tokens: readonly CST.Token[];
  /** Refused constructs: the first anchor or alias, the first tag. The document can still be composed. */
  readonly refused: readonly Diagnostic[];
  /** Set when a limit was met: the tokens are incomplete. */
  readonly limit: Diagnostic | undefined;
}

/** Parses one document within the limits. */
export function parseGuarded(text: string, chunk: DocumentChunk, budget: TokenBudget): GuardedSyntax {
  const parser = new Parser();
  parser.offset = chunk.span.start;
  const tokens: CST.Token[] = [];
  const refused = new Map<string, Diagnostic>();
  let isScalarNext = false;
  for (const lexeme of new Lexer().lex(text.slice(chunk.span.start, chunk.span.end))) {
    budget.remaining -= 1;
    const found = isScalarNext ? undefined : refuse(lexeme, parser.offset);
    if (found && !refused.has(found.code)) refused.set(found.code, found);
    isScalarNext = lexeme === CST.SCALAR;
    for (const token of parser.next(lexeme)) tokens.push(token);
    const limit = checkLimits(parser, budget);
    if (limit) return { tokens: [], refused: [], limit };
  }
  tokens.push(...parser.end());
  return { tokens, refused: [...refused.values()], limit: undefined };
}

function refuse(lexeme: string, offset: number): Diagnostic | undefined {
  const span = { start: offset, end: offset + lexeme.length };
  switch (lexeme[0]) {
    case '&':
    case '*': {
      const message = 'Anchors and aliases are not supported. Write the value out where it is needed.';
      return { code: 'alias-not-supported', severity: 'error', message, span };
    }
    case '!': {
      const message = `Tags like \`${shorten(lexeme)}\` are not supported. Remove the tag; put text that looks like a number in quotes.`;
      return { code: 'tag-not-supported', severity: 'error', message, span };
    }
    default:
      return undefined;
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Runs after every token: nothing is made unless a limit is met. */
function checkLimits(parser: Parser, budget: TokenBudget): Diagnostic | undefined {
  if (budget.remaining < 0) return tooLarge(TOO_MANY_TOKENS);
  const { stack } = parser;
  // The document and the scalar being read stand on the stack too.
  if (stack.length > MAX_NESTING && stack.filter(CST.isCollection).length > MAX_NESTING) {
    const message = `Maps and lists are nested more than ${MAX_NESTING} deep here. Flatten the structure.`;
    const span = { start: Math.max(0, parser.offset - 1), end: parser.offset };
    return { code: 'nesting-too-deep', severity: 'error', message, span };
  }
  const top = stack.at(-1);
  if (!top || !isMap(top) || top.items.length <= MAX_KEYS) return undefined;
  const start = top.items.at(-1)?.key?.offset ?? top.offset;
  const message = `This map has more than ${MAX_KEYS} keys. Split it.`;
  return { code: 'too-many-keys', severity: 'error', message, span: { start, end: Math.max(start, parser.offset) } };
}

const TOO_MANY_TOKENS = `This file has more than ${MAX_TOKENS} YAML tokens; the rest is not read. Split it into several files.`;

/** Only maps are limited: the length of lists is the schema's matter. */
function isMap(token: CST.Token): token is CST.BlockMap | CST.FlowCollection {
  return token.type === 'block-map' || (token.type === 'flow-collection' && token.start.source === '{');
}
