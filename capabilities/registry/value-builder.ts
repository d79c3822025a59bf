/**
 * Turns composed nodes into plain JSON values and their places, and reports what is valid YAML but not a plain JSON
 * tree with text keys. The recursion is bounded: the syntax guard has refused anything deeper than its limit.
 */
import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Diagnostic, DiagnosticCode, Span } from '../models';
import { describeForbiddenCharacter, findForbiddenCharacters } from './forbidden-characters';
import { describeAmbiguousNumber } from './ambiguous-scalars';
import type { SpanNode } from './span-tree';

/** A value and where everything in it stands. */
export interface BuiltValue {
  readonly value: unknown;
  readonly spans: SpanNode;
}

/** Keys that JavaScript gives a meaning of its own. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Builds the value of one document. Keys that are refused are reported and left out. */
export class ValueBuilder {
  readonly diagnostics: Diagnostic[] = [];
  readonly #text: string;

  /** @param text the whole file: spans refer to it */
  constructor(text: string) {
    this.#text = text;
  }

  /** Value and places of a node; `fallback` is the place of a value that is not written at all. */
  build(node: ParsedNode | null, fallback: Span, key?: Span): BuiltValue {
    if (isMap(node)) return this.#buildMap(node, key);
    if (isSeq(node)) return this.#buildList(node, key);
    if (isScalar(node)) return this.#buildScalar(node, key);
    // An alias, which the guard has reported, or nothing.
    const value = node === null ? fallback : spanOf(node);
    return { value: null, spans: { key, value, verbatimStart: undefined, children: undefined } };
  }

  #buildMap(map: YAMLMap.Parsed, key: Span | undefined): BuiltValue {
    const value: Record<string, unknown> = {};
    const children = new Map<string | number, SpanNode>();
    for (const pair of map.items) {
      const name = this.#readKey(pair.key);
      if (name === undefined) continue;
      const keySpan = spanOf(pair.key);
      if (children.has(name)) {
        this.#report(
          'duplicate-key',
          keySpan,
          `The key \`${name}\` is written twice in this map. Remove one of the two.`,
        );
        continue;
      }
      const built = this.build(pair.value, { start: keySpan.end, end: keySpan.end }, keySpan);
      value[name] = built.value;
      children.set(name, built.spans);
    }
    return { value, spans: { key, value: this.#collectionSpan(map), verbatimStart: undefined, children } };
  }

  #buildList(list: YAMLSeq.Parsed, key: Span | undefined): BuiltValue {
    const value: unknown[] = [];
    const children = new Map<string | number, SpanNode>();
    list.items.forEach((item, index) => {
      const end = list.range[1];
      const built = this.build(item, { start: end, end });
      value.push(built.value);
      children.set(index, built.spans);
    });
    return { value, spans: { key, value: this.#collectionSpan(list), verbatimStart: undefined, children } };
  }

  #buildScalar(scalar: Scalar.Parsed, key: Span | undefined): BuiltValue {
    const span = spanOf(scalar);
    const value: unknown = scalar.value;
    const verbatimStart = typeof value === 'string' ? this.#verbatimStart(value, span) : undefined;
    if (typeof value === 'string') this.#checkEscapes(value, scalar, span);
    if (typeof value === 'number') {
      const finding = describeAmbiguousNumber(scalar.source, value);
      if (finding) this.diagnostics.push({ code: 'ambiguous-scalar', ...finding, span });
    }
    return { value, spans: { key, value: span, verbatimStart, children: undefined } };
  }

  /** Escapes can write a character that is refused when it stands there itself. */
  #checkEscapes(value: string, scalar: Scalar.Parsed, span: Span): void {
    if (scalar.type !== 'QUOTE_DOUBLE' || !this.#text.slice(span.start, span.end).includes('\\')) return;
    const [run] = findForbiddenCharacters(value, 1);
    if (run) this.#report('forbidden-character', span, describeForbiddenCharacter(run.codePoint));
  }

  /** A block collection's range runs to the start of the next line; what is written ends before that. */
  #collectionSpan(node: YAMLMap.Parsed | YAMLSeq.Parsed): Span {
    const { start, end } = spanOf(node);
    let last = end;
    while (last > start && this.#text.charCodeAt(last - 1) <= 0x20) last -= 1;
    return { start, end: last };
  }

  #verbatimStart(value: string, span: Span): number | undefined {
    if (this.#text.startsWith(value, span.start) && span.end === span.start + value.length) return span.start;
    const isQuoted = span.end === span.start + value.length + 2 && this.#text.startsWith(value, span.start + 1);
    return isQuoted ? span.start + 1 : undefined;
  }

  /** The key as text, or undefined when it was refused. */
  #readKey(node: ParsedNode): string | undefined {
    const span = spanOf(node);
    if (!isScalar(node)) {
      this.#report('complex-key', span, 'A key must be plain text, not a list, a map or an alias.');
      return undefined;
    }
    const key: unknown = node.value;
    if (node.source === '<<' && node.type === 'PLAIN') {
      this.#report('merge-key-not-supported', span, 'Merge keys (`<<`) are not supported. Write the keys out.');
      return undefined;
    }
    if (typeof key !== 'string') {
      this.#report('non-string-key', span, describeKey(key, this.#text.slice(span.start, span.end)));
      return undefined;
    }
    this.#checkEscapes(key, node, span);
    if (!FORBIDDEN_KEYS.has(key)) return key;
    this.#report(
      'forbidden-key',
      span,
      `The key \`${key}\` is not allowed: it has a meaning inside JavaScript. Choose another name.`,
    );
    return undefined;
  }

  #report(code: DiagnosticCode, span: Span, message: string): void {
    this.diagnostics.push({ code, severity: 'error', message, span });
  }
}

function describeKey(key: unknown, source: string): string {
  if (source === '') return 'A key is missing before this `:`.';
  const kind = key === null ? 'null' : `a ${typeof key}`;
  return `A key must be text; this is ${kind}. Put it in quotes: "${source}".`;
}

function spanOf(node: ParsedNode): Span {
  return { start: node.range[0], end: node.range[1] };
}
