import type { Connection } from 'vscode-languageserver/node';
import type { ConfirmationAnswer } from '../capabilities/models';
import type { ApprovalRequest, ConfirmationRequest, Confirmer } from '../capabilities/ports';
import { ApprovePackRequest, ConfirmRequest } from '../protocol/requests';

const answers: readonly ConfirmationAnswer[] = ['run_once', 'allow_for_session', 'declined', 'unavailable'];

/** Asks through the client's native dialog. A client that can't show one answers `unavailable`. */
export class HostConfirmer implements Confirmer {
  readonly #connection: Connection;
  #canAsk = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Told at initialisation: only our own client understands the request. */
  allowDialogs(): void {
    this.#canAsk = true;
  }

  async confirm(request: ConfirmationRequest, signal: AbortSignal): Promise<ConfirmationAnswer> {
    if (!this.#canAsk) return 'unavailable';
    const { title, detail, canAllowForSession } = request;
    const answer = this.#connection.sendRequest(ConfirmRequest, { title, detail, canAllowForSession });
    const given: unknown = await Promise.race([answer, rejectOnAbort(signal)]);
    // Whatever else a client may answer is no yes.
    return answers.find((known) => known === given) ?? 'declined';
  }

  async approvePack(request: ApprovalRequest, signal: AbortSignal): ReturnType<Confirmer['approvePack']> {
    if (!this.#canAsk) return 'unavailable';
    const { title, detail } = request;
    const answer = this.#connection.sendRequest(ApprovePackRequest, { title, detail });
    const given: unknown = await Promise.race([answer, rejectOnAbort(signal)]);
    return given === 'approved' ? 'approved' : 'declined';
  }
}

/** The dialog of a cancelled call stays open (an editor can't close it); its answer is no longer awaited. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
