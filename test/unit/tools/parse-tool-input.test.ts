import { expect, test } from 'vitest';
import { validateRunInput, validateSearchInput } from '../../../capabilities/generated/validators';
import type { RunInput, SearchInput } from '../../../capabilities/models';
import { parseToolInput } from '../../../capabilities/tools/parse-tool-input';

test('input that fits is passed on', () => {
  expect(parseToolInput<SearchInput>({ query: 'x', limit: 3 }, validateSearchInput)).toEqual({
    ok: true,
    input: { query: 'x', limit: 3 },
  });
});

test('input sent as a JSON string is unwrapped once', () => {
  expect(parseToolInput<SearchInput>('{"query":"x"}', validateSearchInput)).toEqual({
    ok: true,
    input: { query: 'x' },
  });
  expect(parseToolInput<SearchInput>('"{\\"query\\":\\"x\\"}"', validateSearchInput)).toMatchObject({ ok: false });
});

test.each([
  ['nothing', undefined, '', /object/],
  ['null', null, '', /object/],
  ['text that is no JSON', 'find it', '', /object/],
  ['a list', [], '', /object/],
  ['no query', {}, '', /query/],
  ['an empty query', { query: '' }, '/query', /must not be empty/],
  ['a foreign key', { query: 'x', top: 3 }, '/top', /not an input/],
  ['a foreign key with a slash', { query: 'x', 'a/b~c': 3 }, '/a~1b~0c', /not an input/],
  ['a word outside the list', { query: 'x', side_effect_max: 'none' }, '/side_effect_max', /R, W-local, W-shared, I/],
  ['too much', { query: 'x', limit: 11 }, '/limit', /<= 10/],
])('%s is refused at its place', (_name, input, pointer, message) => {
  const parsed = parseToolInput<SearchInput>(input, validateSearchInput);
  if (parsed.ok) throw new Error('accepted');
  expect(parsed.reply).toMatchObject({
    status: 'error',
    code: 'invalid_request',
    retryable: false,
    problems: [{ pointer }],
  });
  expect(parsed.reply.problems?.[0]?.message).toMatch(message);
});

test.each(['__proto__', 'constructor', 'toString'])('%s is no action id that is there by inheritance', (key) => {
  expect(parseToolInput<RunInput>(JSON.parse(`{"${key}": {"action_id": "x"}}`), validateRunInput)).toMatchObject({
    ok: false,
  });
});

test('a thousand mistakes are answered with the first twenty', () => {
  const junk = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));
  const parsed = parseToolInput<SearchInput>({ query: 'x', ...junk }, validateSearchInput);
  if (parsed.ok) throw new Error('accepted');
  expect(parsed.reply.problems).toHaveLength(20);
  expect(JSON.stringify(parsed.reply).length).toBeLessThan(8192);
});
