// Turns schemas/ into TypeScript types and compiled validators (capabilities/generated/).
// Both are build products: the schemas are the one source.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { buildSync } from 'esbuild';
import { compile } from 'json-schema-to-typescript';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const schemas = path.join(root, 'schemas');
const out = path.join(root, 'capabilities', 'generated');

/** Reads every schema of schemas/ and schemas/tools/, in name order. */
function readSchemas() {
  return [schemas, path.join(schemas, 'tools')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.schema.json'))
      .sort()
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))),
  );
}

/** `search-input.schema.json` → `validateSearchInput`. */
function validatorName(id) {
  const words = id.replace('.schema.json', '').split('-');
  return `validate${words.map((word) => word[0].toUpperCase() + word.slice(1)).join('')}`;
}

/** What the product reads from outside. Replies are checked against their schemas by the tests. */
const isRead = (schema) => schema.type === 'object' && !schema.$id.includes('-reply');

async function writeTypes(all) {
  const properties = Object.fromEntries(
    all.filter((schema) => schema.type === 'object').map((schema) => [schema.title, { $ref: schema.$id }]),
  );
  const everything = { title: 'EverySchema', type: 'object', additionalProperties: false, properties };
  const text = await compile(everything, 'EverySchema', {
    bannerComment: '// Generated from schemas/ by scripts/generate.mjs. Do not edit.',
    format: false,
    ignoreMinAndMaxItems: true,
    strictIndexSignatures: false,
    unreachableDefinitions: false,
    $refOptions: {
      resolve: {
        file: false,
        http: false,
        house: {
          order: 1,
          canRead: true,
          read: ({ url }) => JSON.stringify(all.find((schema) => schema.$id === path.basename(url))),
        },
      },
    },
  });
  writeFileSync(path.join(out, 'types.ts'), text);
}

function writeValidators(all) {
  const ajv = new Ajv({
    schemas: all,
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    ownProperties: true,
    code: { source: true, esm: false },
  });
  const named = Object.fromEntries(all.filter(isRead).map((schema) => [validatorName(schema.$id), schema.$id]));
  const source = standaloneCode.default ? standaloneCode.default(ajv, named) : standaloneCode(ajv, named);
  const entry = path.join(out, 'validators.source.cjs');
  writeFileSync(entry, source);
  const names = Object.keys(named);
  const facade = `import all from './validators.source.cjs';\n${names.map((name) => `export const ${name} = all.${name};`).join('\n')}\n`;
  buildSync({
    stdin: { contents: facade, resolveDir: out, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    outfile: path.join(out, 'validators.js'),
    logLevel: 'warning',
  });
  const declaration = `import type { ErrorObject } from 'ajv';\n\nexport interface Validator {\n  (data: unknown): boolean;\n  errors?: ErrorObject[] | null;\n}\n${names.map((name) => `export declare const ${name}: Validator;`).join('\n')}\n`;
  writeFileSync(path.join(out, 'validators.d.ts'), declaration);
}

mkdirSync(out, { recursive: true });
const all = readSchemas();
await writeTypes(all);
writeValidators(all);
