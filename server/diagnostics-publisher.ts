import type { Connection } from 'vscode-languageserver/node';
import type { Diagnostic } from '../capabilities/models';
import { provideDiagnostics } from './features/diagnostics-provider';
import type { SourceFiles } from './features/source-files';
import type { LiveDefinitions } from './live-definitions';

/** Sends diagnostics for the files that need it, once per turn of the event loop. */
export class DiagnosticsPublisher {
  readonly #connection: Connection;
  readonly #live: LiveDefinitions;
  readonly #files: SourceFiles;
  readonly #pending = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #advice = new Map<string, { readonly text: string; readonly diagnostics: readonly Diagnostic[] }>();
  #isScheduled = false;

  constructor(connection: Connection, live: LiveDefinitions, files: SourceFiles) {
    this.#connection = connection;
    this.#live = live;
    this.#files = files;
    live.onDidChange((paths) => {
      this.#schedule(paths);
    });
  }

  /** Number of errors in every definition file. */
  countErrors(): number {
    const perFile = this.#live.paths.map(
      (path) => this.#live.diagnostics(path).filter(({ severity }) => severity === 'error').length,
    );
    return perFile.reduce((sum, count) => sum + count, 0);
  }

  /** Findings that were made in the background for a text; shown while the file still reads like that. */
  advise(path: string, text: string, diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length > 0) this.#advice.set(path, { text, diagnostics });
    else this.#advice.delete(path);
    this.#schedule([path]);
  }

  #schedule(paths: readonly string[]): void {
    for (const path of paths) this.#pending.add(path);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const due = [...this.#pending].sort();
      this.#pending.clear();
      for (const path of due) this.#publish(path);
    });
  }

  #publish(path: string): void {
    const text = this.#live.textOf(path) ?? '';
    const advice = this.#advice.get(path);
    const diagnostics = provideDiagnostics({
      text,
      diagnostics: [...this.#live.diagnostics(path), ...(advice?.text === text ? advice.diagnostics : [])],
      files: this.#files,
    });
    if (diagnostics.length === 0 && !this.#shown.delete(path)) return;
    if (diagnostics.length > 0) this.#shown.add(path);
    void this.#connection.sendDiagnostics({ uri: this.#files.uriOf(path), diagnostics });
  }
}
