import { describe, expect, test } from 'vitest';
import { checkSampleIds, loadSamples } from '../../../capabilities/evaluation/sample-loader';
import { readYaml } from '../../../capabilities/registry/yaml-reader';

const load = (text: string) => loadSamples({ path: 'samples.yaml', text }, readYaml);

const sound = `samples:
  - query: fix it
    expected_top_actions: [a.fix]
    expected_resolution: confident
  - query: |
      order
      a pizza
    kind: nothing
    runtime_context: { os: macos, ran: a.check }
    expected_top_actions: []
    forbidden_actions: [a.drop]
    expected_resolution: no_confident_match
`;

test('samples come with the line they stand on', () => {
  const loaded = load(sound);
  expect(loaded).toMatchObject({
    ok: true,
    value: [
      { path: 'samples.yaml', line: 2, sample: { query: 'fix it' } },
      { line: 5, sample: { query: 'order\na pizza\n', forbidden_actions: ['a.drop'] } },
    ],
  });
});

describe('what is wrong is said, with its line', () => {
  test.each([
    { text: 'samples: []\n', line: 1, message: /one key, `samples`/ },
    { text: '- query: x\n', line: 1, message: /.+/ },
    { text: 'samples:\n  - query: x\nnote: y\n', line: 1, message: /one key, `samples`/ },
    { text: 'samples: [\n', line: 1, message: /.+/ },
    {
      text: 'samples:\n  - query: x\n    expected_resolution: confident\n',
      line: 2,
      message: /Sample 1: .*expected_top_actions/,
    },
    {
      text: 'samples:\n  - query: x\n    expected_top_actions: [a]\n    expected_resolution: certain\n',
      line: 4,
      message: /`expected_resolution` must be one of confident, ambiguous, no_confident_match/,
    },
    {
      text: 'samples:\n  - query: x\n    expected_top_actions: [a]\n    expected_resolution: confident\n    extra: 1\n',
      line: 2,
      message: /a key that is not known, `extra`/,
    },
    {
      text: 'samples:\n  - query: x\n    expected_top_actions: []\n    expected_resolution: confident\n',
      line: 3,
      message: /must name something when the resolution is `confident`/,
    },
    {
      text: 'samples:\n  - query: x\n    expected_top_actions: [a]\n    forbidden_actions: [a]\n    expected_resolution: confident\n',
      line: 4,
      message: /`a` can't be both/,
    },
  ])('$message', ({ text, line, message }) => {
    const loaded = load(text);
    expect(loaded.ok).toBe(false);
    const problems = loaded.ok ? [] : loaded.problem;
    expect(problems).toContainEqual({ path: 'samples.yaml', line, message: expect.stringMatching(message) as unknown });
  });
});

test('an id that means nothing in the registry is named', () => {
  const loaded = load(sound);
  const samples = loaded.ok ? loaded.value : [];
  const known = new Set(['a.fix', 'a.check']);
  const registry = { lookup: (id: string) => ({ kind: known.has(id) ? 'found' : 'unknown' }) as never };
  expect(checkSampleIds(samples, registry)).toEqual([
    { path: 'samples.yaml', line: 5, message: 'There is no resource `a.drop`.' },
  ]);
});
