import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { completionChunks, toEventStream } from './completion-stream.js';

/** A message of the conversation, as Copilot sends it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A tool that Copilot offers to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What one tool call gave back to the model. */
export interface ToolResult {
  readonly callId: string;
  /** Name of the tool that was called. */
  readonly name: string;
  readonly text: string;
}

/** One request that Copilot made. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  /** Every tool result of the conversation so far, oldest first. */
  readonly toolResults: readonly ToolResult[];
  /** The text of the last message from the user, with all that Copilot wraps around the query. */
  readonly userText: string;
}

/** What the model answers: a call of a tool, or a text that ends the turn. */
export type ModelReply =
  | { readonly toolCall: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } }
  | { readonly text: string };

/** Answers one request of an agent turn. May look at the request, also to make assertions about it. */
export type ScriptStep = (request: ModelRequest) => ModelReply;

/** The vendor under which Copilot lists models of the user's own. */
export const MODEL_VENDOR = 'customendpoint';
const MODEL_ID = 'scripted-1';
const EXHAUSTED = 'The script has no further step.';

/**
 * A language model without intelligence: an OpenAI-compatible chat-completions server that answers the
 * requests of agent turns from a script, and records them. Copilot's other requests (titles, summaries) offer
 * no tools; they get a fixed text and use up no step.
 */
export class ScriptedModel {
  /** The requests of agent turns, oldest first. */
  readonly requests: ModelRequest[] = [];
  /** Copilot's requests that are no agent turn. */
  readonly sideRequests: ModelRequest[] = [];
  /** What steps threw; the model's answer says it, too. */
  readonly failures: unknown[] = [];
  readonly #server: Server;
  #steps: ScriptStep[];
  #waiting: (() => void)[] = [];

  private constructor(script: readonly ScriptStep[]) {
    this.#steps = [...script];
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Listens on a free loopback port. */
  static async start(script: readonly ScriptStep[] = []): Promise<ScriptedModel> {
    const model = new ScriptedModel(script);
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  /** Steps that no request has used yet. */
  get stepsLeft(): number {
    return this.#steps.length;
  }

  /** Adds steps for the next turns. */
  extend(script: readonly ScriptStep[]): void {
    this.#steps.push(...script);
  }

  /** Resolves with the request of an agent turn by its position, as soon as it has come in. */
  async request(index: number): Promise<ModelRequest> {
    for (;;) {
      const request = this.requests[index];
      if (request) return request;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** The content of `User/chatLanguageModels.json` that makes Copilot offer this model. */
  chatLanguageModels(): readonly unknown[] {
    const { port } = this.#server.address() as AddressInfo;
    const model = {
      id: MODEL_ID,
      name: 'Scripted',
      url: `http://127.0.0.1:${port}/v1/chat/completions`,
      toolCalling: true,
      vision: false,
      maxInputTokens: 100_000,
      maxOutputTokens: 8_000,
    };
    return [{ vendor: MODEL_VENDOR, name: 'Scripted', apiType: 'chat-completions', models: [model] }];
  }

  /** Stops listening and drops open connections. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = readRequest(await text(request));
    const reply = asked.tools.length > 0 ? this.#nextReply(asked) : this.#sideReply(asked);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(toEventStream(completionChunks(MODEL_ID, reply)));
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #sideReply(asked: ModelRequest): ModelReply {
    this.sideRequests.push(asked);
    return { text: 'Scripted' };
  }

  #nextReply(asked: ModelRequest): ModelReply {
    this.requests.push(asked);
    const step = this.#steps.shift();
    if (!step) return { text: EXHAUSTED };
    try {
      return step(asked);
    } catch (error) {
      this.failures.push(error);
      return { text: `The script failed: ${String(error)}` };
    }
  }
}

interface RequestBody {
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: OfferedTool }[];
}

function readRequest(body: string): ModelRequest {
  const { messages = [], tools = [] } = JSON.parse(body) as RequestBody;
  const names = new Map(
    messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function.name] as const),
  );
  const toolResults = messages.flatMap((message) => {
    const callId = message.tool_call_id;
    return callId === undefined ? [] : [{ callId, name: names.get(callId) ?? '', text: textOf(message) }];
  });
  const lastUser = messages.findLast((message) => message.role === 'user');
  return {
    messages,
    tools: tools.map((tool) => tool.function),
    toolResults,
    userText: lastUser ? textOf(lastUser) : '',
  };
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
