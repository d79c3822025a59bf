import describeInput from '../../schemas/tools/describe-input.schema.json';
import listInput from '../../schemas/tools/list-input.schema.json';
import runInput from '../../schemas/tools/run-input.schema.json';
import searchInput from '../../schemas/tools/search-input.schema.json';
import type { ToolContract, ToolName } from './tool';

/** Keeps of a schema file what an agent needs: the bare object schema. */
function interfaceSchema(schema: { readonly properties: object; readonly required: readonly string[] }): object {
  return { type: 'object', properties: schema.properties, required: schema.required, additionalProperties: false };
}

/** The four contracts, by name. The manifest carries the same texts; a test compares them. */
export const TOOL_CONTRACTS: Readonly<Record<ToolName, ToolContract>> = {
  capability_search: {
    name: 'capability_search',
    referenceName: 'capabilitySearch',
    description:
      'Find what this project can do for a goal: its registered scripts, commands, fixes, APIs and guides. Use it first, before writing shell commands, when the user wants something checked, diagnosed, fixed, installed, updated, rolled back, created, listed, deleted, cleaned or scheduled. Runs nothing; returns up to 10 candidates. Pass the goal in the user\'s words and language, with its limits ("check first, do not reinstall"). On no_confident_match do not rephrase: say so or use other tools. Not for searching code or files.',
    inputSchema: interfaceSchema(searchInput),
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  capability_list: {
    name: 'capability_list',
    referenceName: 'capabilityList',
    description:
      'Browse the capability packs of this project, or one pack with its rules and children. Use it for "what can you do here?". For a concrete goal use capability_search.',
    inputSchema: interfaceSchema(listInput),
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  capability_describe: {
    name: 'capability_describe',
    referenceName: 'capabilityDescribe',
    description:
      "Read one capability's full contract: arguments, effects, limits, examples, undo, steps of a guide. Call it before capability_run; the schema is shown nowhere else.",
    inputSchema: interfaceSchema(describeInput),
    annotations: { readOnlyHint: true, destructiveHint: false },
  },
  capability_run: {
    name: 'capability_run',
    referenceName: 'capabilityRun',
    description:
      'Run one registered action by id, with arguments that fit its described schema. The person is asked in their own dialog when needed; you cannot confirm for them. If they decline, stop and ask what they want. Use dry_run to see exactly what would run. Not for arbitrary shell commands.',
    inputSchema: interfaceSchema(runInput),
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
};
