import type { Connection } from 'vscode-languageserver/node';
import type { Logger, LogLevel } from '../capabilities/ports';

/** Writes to the client's log. Fields are names, counts and reasons: never argument values. */
export class ConnectionLogger implements Logger {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  log(level: LogLevel, message: string, fields: Readonly<Record<string, string | number | boolean>> = {}): void {
    const details = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const line = [message, ...details].join(' ');
    const { console } = this.#connection;
    try {
      if (level === 'error') console.error(line);
      else if (level === 'warn') console.warn(line);
      else if (level === 'info') console.info(line);
      else console.debug(line);
    } catch {
      // A client that has gone reads no log; what was being logged must not become a second failure.
    }
  }
}
