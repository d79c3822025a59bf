import type { Engine } from '../engine';
import { validateDescribeInput } from '../generated/validators';
import type { DescribeInput, DescribeReply } from '../models';
import { parseToolInput } from './parse-tool-input';
import type { CapabilityTool } from './tool';
import { TOOL_CONTRACTS } from './tool-contracts';

/** `capability_describe` over one engine. */
export function createDescribeTool(engine: Engine): CapabilityTool<DescribeReply> {
  return {
    ...TOOL_CONTRACTS.capability_describe,
    execute(raw, context) {
      const parsed = parseToolInput<DescribeInput>(raw, validateDescribeInput);
      return parsed.ok ? engine.describe(parsed.input, context) : Promise.resolve(parsed.reply);
    },
  };
}
