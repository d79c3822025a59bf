// `npm run reference`: writes docs/reference.md from the definition schemas. With --check it only says whether
// the page is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const page = path.join(root, 'docs', 'reference.md');
const load = (name) => JSON.parse(readFileSync(path.join(root, 'schemas', name), 'utf8'));
const common = load('common.schema.json');

/** Follows `$ref` and single `allOf`, keeping the outermost description. */
function resolve(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return { ...resolve(common.definitions[name]), name };
  }
  if (schema.allOf)
    return { ...resolve(schema.allOf[0]), ...(schema.description ? { description: schema.description } : {}) };
  return schema;
}

/** A field's type in a few words. */
function typeOf(given) {
  const schema = resolve(given);
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.anyOf || schema.oneOf) return (schema.anyOf ?? schema.oneOf).map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object') return 'map';
  return schema.type === 'integer' ? 'whole number' : (schema.type ?? 'any');
}

/** Rows for one object, then one table for each object below it. */
function tables(heading, schema, level) {
  const required = new Set(schema.required ?? []);
  const nested = [];
  const rows = Object.entries(schema.properties ?? {}).map(([key, given]) => {
    const field = resolve(given);
    if (field.oneOf)
      nested.push(...field.oneOf.map((branch) => [`${heading} · ${key}: ${branch.properties.type.const}`, branch]));
    else if (field.properties) nested.push([`${heading} · ${key}`, field]);
    else if (field.items?.properties) nested.push([`${heading} · each of ${key}`, field.items]);
    const description = (given.description ?? field.description ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ');
    return `| \`${key}\`${required.has(key) ? ' (required)' : ''} | ${typeOf(given).replaceAll('|', '\\|')} | ${description} |`;
  });
  const table = ['| field | value | what it means |', '| --- | --- | --- |', ...rows].join('\n');
  return [
    `${'#'.repeat(level)} ${heading}`,
    schema.description ?? '',
    table,
    ...nested.flatMap(([name, below]) => tables(name, below, level + 1)),
  ];
}

const parts = ['pack', 'action', 'recipe', 'lexicon', 'policy'].flatMap((kind) =>
  tables(kind, load(`${kind}.schema.json`), 2),
);
const text = ['# Definition reference', 'Generated from `schemas/` by `npm run reference`.', ...parts]
  .filter(Boolean)
  .join('\n\n');
const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(page)), parser: 'markdown' });
if (process.argv.includes('--check')) {
  const current = readFileSync(page, 'utf8');
  if (current !== formatted) {
    console.error('docs/reference.md is out of date: run `npm run reference`.');
    process.exit(1);
  }
} else {
  writeFileSync(page, formatted);
}
