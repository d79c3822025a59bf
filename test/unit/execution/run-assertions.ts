import Ajv from 'ajv';
import { expect } from 'vitest';
import commonSchema from '../../../schemas/common.schema.json';
import errorSchema from '../../../schemas/tools/error-reply.schema.json';
import replySchema from '../../../schemas/tools/run-reply.schema.json';
import searchSchema from '../../../schemas/tools/search-reply.schema.json';
import type { ErrorReply, RunReply } from '../../../capabilities/models';

/** Checks that a reply has the published form and size, and returns it. */
export function wellFormed<T extends RunReply | ErrorReply>(reply: T): T {
  const ajv = new Ajv({ schemas: [commonSchema, searchSchema, replySchema, errorSchema], strict: false });
  const validate = ajv.getSchema(reply.status === 'error' ? 'error-reply.schema.json' : 'run-reply.schema.json');
  expect(validate?.(reply), JSON.stringify(validate?.errors)).toBe(true);
  expect(replyBytes(reply)).toBeLessThanOrEqual(8_192);
  return reply;
}

/** UTF-8 bytes of a reply as JSON. */
export function replyBytes(reply: RunReply | ErrorReply): number {
  return Buffer.byteLength(JSON.stringify(reply));
}

/** Matches a text inside a larger expectation. */
export function text(matcher: RegExp | string): string {
  return expect.stringMatching(matcher) as string;
}
