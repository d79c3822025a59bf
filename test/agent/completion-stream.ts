import { randomUUID } from 'node:crypto';
import type { ModelReply } from './scripted-model.js';

/** The chunks of a streamed chat completion that carries this reply, in OpenAI's format. */
export function completionChunks(model: string, reply: ModelReply): readonly unknown[] {
  const id = `chatcmpl-${randomUUID()}`;
  const chunk = (delta: unknown, finishReason: string | null = null): unknown => ({
    id,
    object: 'chat.completion.chunk',
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  if ('text' in reply) return [chunk({ role: 'assistant', content: reply.text }), chunk({}, 'stop')];
  const call = {
    index: 0,
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name: reply.toolCall.name, arguments: JSON.stringify(reply.toolCall.arguments) },
  };
  return [chunk({ role: 'assistant', content: null, tool_calls: [call] }), chunk({}, 'tool_calls')];
}

/** The chunks as server-sent events, with the end mark. */
export function toEventStream(chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}
