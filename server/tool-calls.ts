import { ResponseError, LSPErrorCodes, type CancellationToken } from 'vscode-languageserver/node';
import type { CallOptions, ErrorReply, RuntimeContext } from '../capabilities/models';
import type { Logger } from '../capabilities/ports';
import type { CapabilityTool } from '../capabilities/tools/tool';
import type { ToolCallParams } from '../protocol/requests';

/** The calls in flight, each with its own way to stop it. One wrapper turns every failure into a reply. */
export class ToolCalls {
  readonly #running = new Map<string, AbortController>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Carries out one call. Rejects with the protocol's cancellation error only; a bug becomes an `internal` reply. */
  async handle<Reply>(
    tool: CapabilityTool<Reply>,
    params: ToolCallParams,
    environment: { readonly context: () => Promise<RuntimeContext>; readonly token: CancellationToken },
  ): Promise<Reply | ErrorReply> {
    const controller = new AbortController();
    this.#running.set(params.callId, controller);
    const stop = (): void => {
      controller.abort(new Error('cancelled by the caller'));
    };
    const listener = environment.token.onCancellationRequested(stop);
    // A token that is cancelled before it is handed over never fires.
    if (environment.token.isCancellationRequested) stop();
    try {
      const options: CallOptions = {
        signal: controller.signal,
        ...(params.tokenBudget === undefined ? {} : { tokenBudget: params.tokenBudget }),
      };
      return await tool.execute(params.input, await environment.context(), options);
    } catch (error) {
      if (controller.signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
      return this.#internal(tool.name, error);
    } finally {
      listener.dispose();
      this.#running.delete(params.callId);
    }
  }

  /** Stops one call, or all; returns how many were told. */
  cancel(callId: string | undefined): number {
    const calls =
      callId === undefined
        ? [...this.#running.values()]
        : [this.#running.get(callId)].filter((call) => call !== undefined);
    for (const call of calls) call.abort(new Error('stopped by the person'));
    return calls.length;
  }

  #internal(tool: string, error: unknown): ErrorReply {
    this.#logger.log(
      'error',
      `${tool} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return {
      status: 'error',
      code: 'internal',
      message:
        'The capability layer failed on this call; its log says why. Nothing else is affected. Do not repeat the call unchanged.',
      retryable: false,
    };
  }
}
