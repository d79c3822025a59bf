import type { Engine } from '../engine';
import { validateListInput } from '../generated/validators';
import type { ListInput, ListReply } from '../models';
import { parseToolInput } from './parse-tool-input';
import type { CapabilityTool } from './tool';
import { TOOL_CONTRACTS } from './tool-contracts';

/** `capability_list` over one engine. */
export function createListTool(engine: Engine): CapabilityTool<ListReply> {
  return {
    ...TOOL_CONTRACTS.capability_list,
    execute(raw, context) {
      const parsed = parseToolInput<ListInput>(raw, validateListInput);
      return parsed.ok ? engine.list(parsed.input, context) : Promise.resolve(parsed.reply);
    },
  };
}
