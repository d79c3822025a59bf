/** Composes the tokens of one document into nodes and reports its first syntax error. */
import { CST, Composer } from 'yaml';
import type { ErrorCode, ParsedNode } from 'yaml';
import type { Diagnostic, Span } from '../models';

/** A document's node, or null when it is empty, and its first syntax error. */
export interface ComposedDocument {
  readonly contents: ParsedNode | null;
  readonly error: Diagnostic | undefined;
}

/** What is composed: tokens that passed the guard. */
export interface GuardedTokens {
  readonly tokens: readonly CST.Token[];
  /** Of the document in the file. */
  readonly span: Span;
  /** Leaves out errors about tags, anchors and aliases, which the guard has reported. */
  readonly ignoresProperties: boolean;
}

interface SyntaxError {
  readonly span: Span;
  readonly code: ErrorCode;
  readonly message: string;
}

type ErrorSource =
  | number
  | readonly [number, number]
  | readonly [number, number, number]
  | { readonly offset: number; readonly source?: string };

/** Composes one document. Reports one error: the one that stands first, from which the others usually follow. */
export function composeDocument({ tokens, span, ignoresProperties }: GuardedTokens): ComposedDocument {
  let first: SyntaxError | undefined;
  const collect = (error: SyntaxError): void => {
    if (ignoresProperties && PROPERTY_ERRORS.has(error.code)) return;
    if (!first || error.span.start < first.span.start) first = error;
  };
  const composer = makeComposer(collect);
  let contents: ParsedNode | null = null;
  for (const token of tokens) {
    if (token.type === 'error') collect(fromErrorToken(token));
    else for (const document of composer.next(token)) contents ??= document.contents;
  }
  for (const document of composer.end(false, span.end)) contents ??= document.contents;
  return { contents, error: first && describe(relocate(first, tokens, span)) };
}

function makeComposer(collect: (error: SyntaxError) => void): Composer {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  // The composer builds an Error with a stack trace for each finding, which takes seconds on hostile text, and has no
  // option against it. It sends every finding of a document to this property.
  Reflect.set(composer, 'onError', (source: ErrorSource, code: ErrorCode, message: string, isWarning?: boolean) => {
    if (isWarning !== true) collect({ span: toSpan(source), code, message });
  });
  return composer;
}

function fromErrorToken(token: CST.ErrorToken): SyntaxError {
  const span = { start: token.offset, end: token.offset + token.source.length };
  return { span, code: 'UNEXPECTED_TOKEN', message: token.message };
}

function toSpan(source: ErrorSource): Span {
  if (typeof source === 'number') return { start: source, end: source + 1 };
  if ('offset' in source) return { start: source.offset, end: source.offset + (source.source?.length ?? 1) };
  return { start: source[0], end: source[1] };
}

/** What is never closed is found missing at the document's end only; the place to look at is where it was opened. */
function relocate(error: SyntaxError, tokens: readonly CST.Token[], document: Span): SyntaxError {
  const opening = error.span.end >= document.end ? findUnclosed(tokens) : undefined;
  if (opening) {
    const span = { start: opening.offset, end: opening.offset + 1 };
    return { span, code: 'MISSING_CHAR', message: `The ${opening.name} that opens here is never closed` };
  }
  const start = Math.min(error.span.start, document.end);
  return { ...error, span: { start, end: Math.max(start, Math.min(error.span.end, document.end)) } };
}

/** The innermost bracket or quote that is open at the end: it stands on the last branch of the tree. */
function findUnclosed(tokens: readonly CST.Token[]): { offset: number; name: string } | undefined {
  let token = tokens.findLast((candidate) => candidate.type === 'document')?.value;
  let found: { offset: number; name: string } | undefined;
  while (token) {
    if (token.type === 'flow-collection' && token.end.length === 0) {
      found = { offset: token.offset, name: `bracket \`${token.start.source}\`` };
    }
    if (isOpenQuote(token)) return { offset: token.offset, name: 'quote' };
    if (!CST.isCollection(token)) return found;
    const last: CST.CollectionItem | undefined = token.items.at(-1);
    token = last?.value ?? last?.key ?? undefined;
  }
  return found;
}

function isOpenQuote(token: CST.Token): boolean {
  if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar') return false;
  const quote = token.source.charAt(0);
  return token.source.length < 2 || !token.source.endsWith(quote);
}

const PROPERTY_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ALIAS_PROPS',
  'BAD_ALIAS',
  'BAD_PROP_ORDER',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
  'TAG_RESOLVE_FAILED',
]);

/** What the common errors mean to somebody who has just typed them. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT:
    'Check the indentation: the keys of one map start in the same column, and nested ones stand further right.',
  BLOCK_AS_IMPLICIT_KEY: 'A value that holds `: ` must be in quotes, and a nested map starts on its own line.',
  MULTILINE_IMPLICIT_KEY:
    'A line has no `:`. Write `key: value`; text that goes on over several lines starts with `|`.',
  MISSING_CHAR: 'Close it, or put the text in quotes.',
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_DQ_ESCAPE: 'Write `\\\\` for a backslash, or use single quotes.',
  BAD_SCALAR_START: 'Put the text in quotes.',
};

function describe(error: SyntaxError): Diagnostic {
  const advice = ADVICE[error.code];
  const sentence = error.message.endsWith('.') ? error.message : `${error.message}.`;
  const message = advice === undefined ? sentence : `${sentence} ${advice}`;
  return { code: 'yaml-syntax', severity: 'error', message, span: error.span };
}
