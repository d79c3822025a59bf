import { CancellationTokenSource, type Connection } from 'vscode-languageserver/node';
import type { GoalReader } from '../capabilities/ports';
import { RestateGoalRequest } from '../protocol/requests';

/** Asks the editor's own chat model through the client, when the user has switched that on. */
export class HostGoalReader implements GoalReader {
  readonly #connection: Connection;
  readonly #isAllowed: () => boolean;

  constructor(connection: Connection, isAllowed: () => boolean) {
    this.#connection = connection;
    this.#isAllowed = isAllowed;
  }

  async restate(goal: string, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#isAllowed()) return undefined;
    const cancellation = new CancellationTokenSource();
    const cancel = (): void => {
      cancellation.cancel();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answer = await this.#connection.sendRequest(RestateGoalRequest, { goal }, cancellation.token);
      const text: unknown = answer.text;
      return typeof text === 'string' ? text : undefined;
    } finally {
      signal.removeEventListener('abort', cancel);
      cancellation.dispose();
    }
  }
}
