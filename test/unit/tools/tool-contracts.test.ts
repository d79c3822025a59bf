import { readFile } from 'node:fs/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { TOOL_CONTRACTS } from '../../../capabilities/tools/tool-contracts';

interface ManifestTool {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly modelDescription: string;
  readonly inputSchema: Record<string, unknown>;
  readonly canBeReferencedInPrompt: boolean;
}

const contracts = Object.values(TOOL_CONTRACTS);

/** Every schema object inside a schema, with its place. */
function* walk(schema: unknown, place: string): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return;
  yield [place, schema as Record<string, unknown>];
  for (const [key, value] of Object.entries(schema)) yield* walk(value, `${place}/${key}`);
}

test('the four definitions together cost at most 1,000 tokens (o200k)', () => {
  const sent = contracts.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  expect(encode(JSON.stringify(sent)).length).toBeLessThanOrEqual(1000);
});

test('the manifest carries the same texts and schemas: `npm run manifest` writes them', async () => {
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
    contributes: { languageModelTools: ManifestTool[] };
  };
  const written = manifest.contributes.languageModelTools.map(
    ({ name, toolReferenceName, modelDescription, inputSchema }) => ({
      name,
      toolReferenceName,
      modelDescription,
      inputSchema,
    }),
  );
  expect(written).toEqual(
    contracts.map(({ name, referenceName, description, inputSchema }) => ({
      name,
      toolReferenceName: referenceName,
      modelDescription: description,
      inputSchema,
    })),
  );
  expect(manifest.contributes.languageModelTools.every((tool) => tool.canBeReferencedInPrompt)).toBe(true);
});

test.each(contracts.map((contract) => [contract.name, contract] as const))(
  '%s suits every model: plain object, items on arrays, short descriptions',
  (_name, contract) => {
    expect(contract.description.length).toBeLessThanOrEqual(1024);
    expect(contract.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    for (const keyword of ['oneOf', 'anyOf', 'allOf', 'not', 'if', '$ref'])
      expect(contract.inputSchema).not.toHaveProperty(keyword);
    for (const [place, schema] of walk(contract.inputSchema, '')) {
      if (schema['type'] === 'array') expect(schema, place).toHaveProperty('items');
    }
  },
);

test('the descriptions say when to use a tool and when not to', () => {
  expect(TOOL_CONTRACTS.capability_search.description).toMatch(/Use it first.*Not for/s);
  expect(TOOL_CONTRACTS.capability_list.description).toMatch(/Use it for.*use capability_search/s);
  expect(TOOL_CONTRACTS.capability_run.description).toMatch(/you cannot confirm for them.*Not for/s);
});

test.each(['package.nls', 'package.nls.zh-cn'])(
  '%s has a text for every place of the manifest, and no other',
  async (name) => {
    const manifest = await readFile('package.json', 'utf8');
    const texts = JSON.parse(await readFile(`${name}.json`, 'utf8')) as Record<string, string>;
    const places = new Set([...manifest.matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    expect(Object.keys(texts).sort()).toEqual([...places].sort());
  },
);
