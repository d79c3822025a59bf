import { createInterface } from 'node:readline/promises';

/** What the command line needs of its surroundings. */
export interface Terminal {
  /** Writes a result to standard output. */
  write(text: string): void;
  /** Writes a message for the person to standard error. */
  tell(text: string): void;
  /** True when a person can be asked: input and messages are both an interactive terminal. */
  readonly isInteractive: boolean;
  /** Asks on standard error and reads one line; undefined at end of input. */
  ask(question: string): Promise<string | undefined>;
}

/** The process's own terminal. */
export class ProcessTerminal implements Terminal {
  readonly isInteractive = process.stdin.isTTY && process.stderr.isTTY;

  write(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  tell(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  async ask(question: string): Promise<string | undefined> {
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new Promise<undefined>((resolve) => {
      reader.once('close', () => {
        resolve(undefined);
      });
    });
    try {
      return await Promise.race([reader.question(question), closed]);
    } finally {
      reader.close();
    }
  }
}
