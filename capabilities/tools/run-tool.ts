import type { Engine } from '../engine';
import { validateRunInput } from '../generated/validators';
import type { RunInput, RunReply } from '../models';
import { parseJsonText, parseToolInput } from './parse-tool-input';
import type { CapabilityTool } from './tool';
import { TOOL_CONTRACTS } from './tool-contracts';

/** `capability_run` over one engine. */
export function createRunTool(engine: Engine): CapabilityTool<RunReply> {
  return {
    ...TOOL_CONTRACTS.capability_run,
    execute(raw, context, options) {
      const parsed = parseToolInput<RunInput>(unwrapArguments(parseJsonText(raw)), validateRunInput);
      return parsed.ok ? engine.run(parsed.input, context, options) : Promise.resolve(parsed.reply);
    },
  };
}

/** Some models send `arguments` as a JSON string: `"{\"id\": 1}"` is unwrapped once, before validation and policy. */
function unwrapArguments(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || !('arguments' in raw)) return raw;
  return { ...raw, arguments: parseJsonText(raw.arguments) };
}
