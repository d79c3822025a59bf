import type { Diagnostic, RegistryView, Scope } from '../capabilities/models';
import type { Digest } from '../capabilities/ports';
import type { ParsedFile } from '../capabilities/registry/parse-definition-file';
import { isLexicon, isPolicy, isReserved, parseWorkspaceFile } from '../capabilities/registry/parse-workspace-file';
import type { DefinitionRules } from '../capabilities/registry/definition-validator';
import { Registry } from '../capabilities/registry/registry';
import type { FileKind } from './features/document-context';

/**
 * The definitions as the editor shows them: unsaved text where a file is open, else what is on disk. Diagnostics and
 * completion look here; the engine finds and runs only what is saved.
 */
export class LiveDefinitions {
  readonly #saved: Registry;
  readonly #live: Registry;
  readonly #rules: DefinitionRules;
  readonly #open = new Map<string, Scope>();

  constructor(saved: Registry, rules: DefinitionRules, digest: Digest) {
    this.#saved = saved;
    this.#rules = rules;
    this.#live = new Registry(digest);
    saved.onDidChange(({ paths }) => {
      for (const path of paths) if (!this.#open.has(path)) this.#copy(path);
    });
  }

  get registry(): RegistryView {
    return this.#live;
  }

  /** Paths of every file with definitions. */
  get paths(): readonly string[] {
    return this.#live.paths;
  }

  /** Declares the scopes. Open files of a scope that is gone are forgotten with it. */
  setScopes(scopes: readonly Scope[]): void {
    this.#live.setScopes(scopes);
    for (const path of this.#open.keys()) if (!this.#live.file(path)) this.#open.delete(path);
  }

  /** Puts the text of an editor in the place of the file's. */
  edit(path: string, scope: Scope, text: string): void {
    // The indexer reads these files neither.
    if (isReserved(scope, path)) return;
    this.#open.set(path, scope);
    const content = this.#live.file(path)?.content;
    if (content?.kind === 'parsed' && content.parsed.text === text) return;
    this.#live.update(path, scope, this.#parse({ path, scope, text }));
  }

  /** The editor was closed: what is on disk counts again. */
  close(path: string): void {
    if (this.#open.delete(path)) this.#copy(path);
  }

  diagnostics(path: string): readonly Diagnostic[] {
    return this.#live.diagnostics(path);
  }

  /** What a file holds, as its name and its scope say. */
  kindOf(path: string | undefined): FileKind {
    const file = path === undefined ? undefined : this.#live.file(path);
    if (path === undefined || file === undefined) return 'definitions';
    if (isPolicy(file.scope, path)) return 'policy';
    return isLexicon(file.scope, path) ? 'lexicon' : 'definitions';
  }

  /** Text of a file as it was parsed last. */
  textOf(path: string): string | undefined {
    const content = this.#live.file(path)?.content;
    return content?.kind === 'parsed' ? content.parsed.text : undefined;
  }

  /** Hears of the files whose diagnostics may differ now. */
  onDidChange(listener: (paths: readonly string[]) => void): void {
    this.#live.onDidChange(({ paths }) => {
      listener(paths);
    });
  }

  /** A saved file's parse is shared: most files are parsed once for both registries. */
  #copy(path: string): void {
    const file = this.#saved.file(path);
    const known = this.#live.file(path);
    if (!file) this.#live.remove(path);
    else if (file.content.kind === 'skipped') this.#live.updateUnreadable(path, file.scope, file.content.reason);
    else if (known?.content.kind !== 'parsed' || known.content.parsed !== file.content.parsed) {
      this.#live.update(path, file.scope, file.content.parsed);
    }
  }

  #parse(file: { readonly path: string; readonly scope: Scope; readonly text: string }): ParsedFile {
    const saved = this.#saved.file(file.path)?.content;
    return saved?.kind === 'parsed' && saved.parsed.text === file.text
      ? saved.parsed
      : parseWorkspaceFile(file, this.#rules);
  }
}
