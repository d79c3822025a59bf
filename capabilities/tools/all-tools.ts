import type { Engine } from '../engine';
import type { DescribeReply, ListReply, RunReply, SearchReply } from '../models';
import { createDescribeTool } from './describe-tool';
import { createListTool } from './list-tool';
import { createRunTool } from './run-tool';
import { createSearchTool } from './search-tool';
import type { CapabilityTool } from './tool';

/** The four tools over one engine. */
export interface Tools {
  readonly search: CapabilityTool<SearchReply>;
  readonly list: CapabilityTool<ListReply>;
  readonly describe: CapabilityTool<DescribeReply>;
  readonly run: CapabilityTool<RunReply>;
}

/** Makes the tools every host serves. */
export function createTools(engine: Engine): Tools {
  return {
    search: createSearchTool(engine),
    list: createListTool(engine),
    describe: createDescribeTool(engine),
    run: createRunTool(engine),
  };
}
