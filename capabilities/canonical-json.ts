/**
 * One text for one JSON value, after RFC 8785: keys sorted by UTF-16 code units, no white space, ECMAScript numbers.
 * Equal values give equal texts and different values different ones, so that its hash stands for the value
 * (`-0` is written `0`). What JSON can't carry is refused: a lone surrogate would turn into U+FFFD when the text is
 * encoded, and two different values would share a hash.
 */
import type { Result } from './models';

/** Why a value has no canonical form. */
export interface NotJson {
  readonly code: 'lone-surrogate' | 'not-finite' | 'not-json' | 'too-deep';
  /** JSON Pointer to the place. */
  readonly pointer: string;
  readonly message: string;
}

/** Deeper values are refused: the walk is recursive. */
const MAX_DEPTH = 500;

/** With the `u` flag a proper pair is one code point, so this matches halves only. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Canonical text of a value that is known to be JSON. Throws a TypeError for anything else: that is a bug in the caller. */
export function canonicalJson(value: unknown): string {
  const result = tryCanonicalJson(value);
  if (!result.ok) throw new TypeError(`${result.problem.message} (at "${result.problem.pointer}")`);
  return result.value;
}

/** Canonical text of a value from outside, or the first reason why there is none. Properties that are undefined are left out. */
export function tryCanonicalJson(value: unknown): Result<string, NotJson> {
  try {
    return { ok: true, value: write(value, []) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** Leaves the recursion; never seen outside this file. */
class Refusal extends Error {
  readonly problem: NotJson;

  constructor(code: NotJson['code'], path: readonly string[], message: string) {
    super(message);
    this.problem = { code, message, pointer: path.map((key) => `/${escapePointer(key)}`).join('') };
  }
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function write(value: unknown, path: string[]): string {
  if (path.length > MAX_DEPTH) throw new Refusal('too-deep', path, 'The value is nested too deep.');
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw new Refusal('not-finite', path, 'NaN and infinity are not JSON numbers.');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    default:
      throw new Refusal('not-json', path, `A value of type ${typeof value} is not JSON.`);
  }
}

function writeString(text: string, path: readonly string[]): string {
  if (LONE_SURROGATE.test(text)) throw new Refusal('lone-surrogate', path, 'The text holds half of a surrogate pair.');
  return JSON.stringify(text);
}

function writeArray(items: readonly unknown[], path: string[]): string {
  const texts: string[] = [];
  for (let index = 0; index < items.length; index += 1) {
    path.push(String(index));
    texts.push(write(items[index], path));
    path.pop();
  }
  return `[${texts.join(',')}]`;
}

function writeObject(value: object, path: string[]): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Refusal('not-json', path, 'Only plain objects and lists are JSON.');
  }
  const texts: string[] = [];
  for (const [key, item] of Object.entries(value).sort(byKey)) {
    if (item === undefined) continue;
    path.push(key);
    texts.push(`${writeString(key, path)}:${write(item, path)}`);
    path.pop();
  }
  return `{${texts.join(',')}}`;
}

function byKey([first]: [string, unknown], [second]: [string, unknown]): number {
  return first < second ? -1 : 1;
}
