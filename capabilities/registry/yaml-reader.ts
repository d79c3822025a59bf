/**
 * Reads the text of a definition file: YAML 1.2 without the parts that can hide, copy or overwrite things.
 * Never throws; every refusal is a diagnostic. A bad document never hides its neighbours.
 */
import type { Diagnostic, Span } from '../models';
import { composeDocument } from './document-composer';
import { splitDocuments } from './document-splitter';
import type { DocumentChunk } from './document-splitter';
import { locate } from './span-tree';
import type { SpanNode, ValuePath } from './span-tree';
import { MAX_TOKENS, parseGuarded } from './syntax-guard';
import type { TokenBudget } from './syntax-guard';
import { checkCharacters, checkSize, findMergeConflicts, tooLarge } from './text-checks';
import { ValueBuilder } from './value-builder';

/** Documents a file may hold. */
export const MAX_DOCUMENTS = 1000;
/** Findings a file reports; what follows is rarely read. */
const MAX_DIAGNOSTICS = 100;

/** One document that holds a value. */
export interface YamlDocument {
  /** Of the value; without markers and comments around it. */
  readonly span: Span;
  /** Plain JSON value. Partial when the document is broken. */
  readonly value: unknown;
  /** True when it has an error of its own: the value must not be used as a definition. */
  readonly isBroken: boolean;
  /**
   * Place of a key or value, in UTF-16 offsets of the whole file. For a path that does not exist, the place of the nearest
   * value above it. `within` narrows it to a range of the value's text, where the text stands in the file as it reads.
   */
  spanOf(path: ValuePath, part: 'key' | 'value', within?: Span): Span;
}

/** What a file holds. */
export interface YamlFile {
  readonly documents: readonly YamlDocument[];
  /** In the order of their places. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a file's text. */
export function readYaml(text: string): YamlFile {
  const size = checkSize(text);
  if (size) return { documents: [], diagnostics: [size] };
  const { chunks, diagnostics: directives } = splitDocuments(text);
  if (chunks.length > MAX_DOCUMENTS) {
    const message = `This file holds more than ${MAX_DOCUMENTS} documents and is not read. Split it into several files.`;
    return { documents: [], diagnostics: [tooLarge(message)] };
  }
  const conflicts = findMergeConflicts(text);
  const characters = checkCharacters(text);
  const conflict = conflicts.diagnostic ? [conflicts.diagnostic] : [];
  const found: Diagnostic[] = [...directives, ...conflict, ...characters];
  const refusedSpans = [...conflicts.regions, ...characters.map((diagnostic) => diagnostic.span)];
  const budget: TokenBudget = { remaining: MAX_TOKENS };
  const documents: YamlDocument[] = [];
  for (const chunk of chunks) {
    const isRefused = refusedSpans.some((span) => span.start < chunk.span.end && chunk.span.start < span.end);
    const read = readDocument(text, chunk, budget);
    // What the text checks say about a document explains the errors that the parser would add.
    if (!isRefused) found.push(...read.diagnostics);
    if (read.document) documents.push(isRefused ? { ...read.document, isBroken: true } : read.document);
    if (budget.remaining < 0) break;
  }
  if (documents.length === 0 && found.length === 0) found.push(describeEmptyFile());
  return { documents, diagnostics: sortByPlace(found).slice(0, MAX_DIAGNOSTICS) };
}

interface ReadDocument {
  readonly document: YamlDocument | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function readDocument(text: string, chunk: DocumentChunk, budget: TokenBudget): ReadDocument {
  const syntax = parseGuarded(text, chunk, budget);
  if (syntax.limit) return { document: undefined, diagnostics: [syntax.limit] };
  const ignoresProperties = syntax.refused.length > 0;
  const composed = composeDocument({ tokens: syntax.tokens, span: chunk.span, ignoresProperties });
  if (composed.contents === null || composed.contents.range[0] === composed.contents.range[1]) {
    return { document: undefined, diagnostics: composed.error ? [composed.error] : syntax.refused };
  }
  const builder = new ValueBuilder(text);
  const built = builder.build(composed.contents, chunk.span);
  // After a syntax error the tree is a guess: what it seems to say is not worth a second message.
  const findings = composed.error ? [composed.error] : builder.diagnostics;
  const diagnostics = [...syntax.refused, ...findings];
  const isBroken = chunk.hasDirective || diagnostics.some(({ severity }) => severity === 'error');
  return { document: makeDocument(built.value, built.spans, isBroken), diagnostics };
}

function makeDocument(value: unknown, root: SpanNode, isBroken: boolean): YamlDocument {
  return {
    span: root.value,
    value,
    isBroken,
    spanOf: (path, part, within) => {
      const { node, isExact } = locate(root, path);
      // The nearest value above may be the whole document; its key says the same in one word.
      if (part === 'key' || !isExact) return node.key ?? node.value;
      if (!within || node.verbatimStart === undefined) return node.value;
      return { start: node.verbatimStart + within.start, end: node.verbatimStart + within.end };
    },
  };
}

function describeEmptyFile(): Diagnostic {
  const message =
    'No resource here yet. Start with `pack_id:`, `action_id:` or `recipe_id:`, or use completion for a template of each.';
  return { code: 'empty-file', severity: 'hint', message, span: { start: 0, end: 0 } };
}

/** Diagnostics in the order of their places; stable. */
export function sortByPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((one, other) => one.span.start - other.span.start || one.span.end - other.span.end);
}
