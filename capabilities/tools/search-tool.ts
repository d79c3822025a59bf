import type { Engine } from '../engine';
import { validateSearchInput } from '../generated/validators';
import type { SearchInput, SearchReply } from '../models';
import { parseToolInput } from './parse-tool-input';
import type { CapabilityTool } from './tool';
import { TOOL_CONTRACTS } from './tool-contracts';

/** `capability_search` over one engine. */
export function createSearchTool(engine: Engine): CapabilityTool<SearchReply> {
  return {
    ...TOOL_CONTRACTS.capability_search,
    execute(raw, context, options) {
      const parsed = parseToolInput<SearchInput>(raw, validateSearchInput);
      return parsed.ok ? engine.search(parsed.input, context, options) : Promise.resolve(parsed.reply);
    },
  };
}
