import type { ConfirmationAnswer } from '../capabilities/models';
import type { ApprovalRequest, ConfirmationRequest, Confirmer } from '../capabilities/ports';
import type { Terminal } from './terminal';

/** Asks the person at the terminal to type the action's name. Without one the answer is `unavailable`. */
export class TerminalConfirmer implements Confirmer {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async confirm(request: ConfirmationRequest): Promise<ConfirmationAnswer> {
    if (!this.#terminal.isInteractive) return 'unavailable';
    this.#terminal.tell(`${request.title}\n\n${request.detail}\n`);
    return (await askForName(this.#terminal, request.plan.actionId)) ? 'run_once' : 'declined';
  }

  async approvePack(request: ApprovalRequest): ReturnType<Confirmer['approvePack']> {
    if (!this.#terminal.isInteractive) return 'unavailable';
    this.#terminal.tell(`${request.title}\n\n${request.detail}\n`);
    return (await askForName(this.#terminal, request.packId)) ? 'approved' : 'declined';
  }
}

/** True when the person typed exactly `name`. A single key can't confirm, nor can a pasted newline. */
export async function askForName(terminal: Terminal, name: string): Promise<boolean> {
  const typed = await terminal.ask(`Type ${name} to go on, anything else to stop: `);
  return typed?.trim() === name;
}
