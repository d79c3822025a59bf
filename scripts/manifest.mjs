// `npm run manifest`: writes the four tools of capabilities/tools/tool-contracts.ts into package.json.
// A unit test fails when the two differ.
import { readFileSync, writeFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const bundle = path.join(root, 'capabilities', 'generated', 'tool-contracts.mjs');
buildSync({
  absWorkingDir: root,
  entryPoints: ['capabilities/tools/tool-contracts.ts'],
  bundle: true,
  format: 'esm',
  outfile: bundle,
  logLevel: 'warning',
});
const { TOOL_CONTRACTS } = await import(pathToFileURL(bundle).href);
rmSync(bundle);

const icons = {
  capability_search: '$(search)',
  capability_list: '$(list-tree)',
  capability_describe: '$(book)',
  capability_run: '$(play)',
};
const file = path.join(root, 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
manifest.contributes.languageModelTools = Object.values(TOOL_CONTRACTS).map((contract) => ({
  name: contract.name,
  displayName: `%tool.${contract.name}.displayName%`,
  userDescription: `%tool.${contract.name}.userDescription%`,
  modelDescription: contract.description,
  canBeReferencedInPrompt: true,
  toolReferenceName: contract.referenceName,
  icon: icons[contract.name],
  tags: ['capabilities'],
  inputSchema: contract.inputSchema,
}));
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
