/**
 * What the engine needs of the world. Hosts and capabilities/node implement these; nothing else in the engine
 * touches the clock, the disk, processes or the network.
 */
import type { ConfirmationAnswer, FrozenPlan, IsolationLimits } from './models';

/** Time. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump. */
  now(): number;
  /** Milliseconds on a clock that never goes back; for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Hashing and randomness. */
export interface Digest {
  /** SHA-256 of bytes, or of the UTF-8 bytes of a text, hex. */
  sha256(content: string | Uint8Array): string;
  /** 128 random bits, hex. */
  randomId(): string;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Diagnostics of the product itself. Never receives argument values or secrets. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, string | number | boolean>>): void;
}

/** Why a file could not be read. */
export type ReadFailure = 'missing' | 'not-a-file' | 'too-large' | 'not-utf8' | 'unreadable';

/** Pure path arithmetic of the platform. */
export interface Paths {
  join(...parts: string[]): string;
  resolve(base: string, relative: string): string;
  relative(from: string, to: string): string;
  dirname(path: string): string;
  basename(path: string): string;
  /** Last extension with its dot, lower case. */
  extension(path: string): string;
}

/** Files of a workspace, read only. */
export interface FileSystem {
  readonly paths: Paths;
  readonly home: string;
  /** Reads at most `maxBytes` of UTF-8 text (a BOM is kept); a larger file is `too-large`. */
  readText(path: string, maxBytes: number): Promise<{ ok: true; text: string } | { ok: false; reason: ReadFailure }>;
  /** Reads at most `maxBytes`; a larger file is `too-large`. */
  readBytes(
    path: string,
    maxBytes: number,
  ): Promise<{ ok: true; bytes: Uint8Array } | { ok: false; reason: ReadFailure }>;
  /** Absolute paths of the YAML files below `folder`, sorted, symlinks not followed, dangling ones listed; at most `limit`. */
  listYaml(folder: string, limit: number): Promise<readonly string[]>;
  exists(path: string): Promise<boolean>;
  /** Real path with symlinks resolved; undefined when it does not exist. */
  realPath(path: string): Promise<string | undefined>;
}

/** Limits of one run with the files it reads as given bytes. */
export interface IsolationRequest extends IsolationLimits {
  /** Read as these bytes, whatever is on disk by then. They exist; the paths are real. */
  readonly pinnedFiles: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** Whether this machine can isolate, found out by trying. */
export type IsolationReport =
  | { readonly available: true; readonly backend: string }
  | {
      readonly available: false;
      /** What does not hold, as a sentence. */
      readonly reason: string;
      /** What a person can do about it, as a sentence. */
      readonly fix: string;
    };

/** Keeps runs within limits. */
export interface Isolator {
  /** Never rejects. Tried once per process; later calls answer from that. */
  check(): Promise<IsolationReport>;
}

/** One process to start. */
export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Bytes kept in memory per stream; the rest of standard output goes to a file. */
  readonly keepBytes: number;
  /** Limits that are enforced; undefined only where a person has accepted a run without them. */
  readonly isolation: IsolationRequest | undefined;
}

export interface CapturedStream {
  /** Valid text: invalid UTF-8 replaced, ANSI and control sequences neutralised. Head and tail when shortened. */
  readonly text: string;
  readonly totalBytes: number;
  readonly truncated: boolean;
  /** File with every byte, when truncated. */
  readonly file: string | undefined;
}

export interface ProcessResult {
  readonly ended: 'exit' | 'signal' | 'timeout' | 'cancelled' | 'failed-to-start';
  readonly exitCode: number | undefined;
  /** Why it could not start or which signal ended it. */
  readonly detail: string | undefined;
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  readonly durationMs: number;
}

/** Starts processes and ends whole process trees. Settles on its own timer, never on a pipe a grandchild holds. */
export interface ProcessRunner {
  run(request: ProcessRequest): Promise<ProcessResult>;
}

/** What this machine has. */
export interface Machine {
  /** Absolute path of a program on PATH; undefined when there is none. */
  findExecutable(name: string): Promise<string | undefined>;
  /** A variable of the host's own environment. */
  environmentVariable(name: string): string | undefined;
}

/** Asks a person. The text is made by the engine from the plan alone. */
export interface Confirmer {
  confirm(request: ConfirmationRequest, signal: AbortSignal): Promise<ConfirmationAnswer>;
  /** Whether a pack may run, as it is now. `unavailable`: this host can't ask. */
  approvePack(request: ApprovalRequest, signal: AbortSignal): Promise<'approved' | 'declined' | 'unavailable'>;
}

/** Text of the dialog, made by the engine from the definitions. */
export interface ApprovalRequest {
  readonly packId: string;
  readonly title: string;
  /** Lines of the dialog, in order. */
  readonly detail: string;
}

export interface ConfirmationRequest {
  readonly plan: FrozenPlan;
  readonly title: string;
  /** Lines of the dialog, in order. */
  readonly detail: string;
  readonly canAllowForSession: boolean;
}

/** Text files of the per-user data folder, shared by every host. Every write is atomic. */
export interface DataStore {
  /** Absolute path of the folder. */
  readonly folder: string;
  read(name: string): Promise<string | undefined>;
  /** Writes to a temporary file, syncs it and renames it. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  list(folder: string): Promise<readonly string[]>;
  /** Appends one whole line in one write; with `sync` it is on disk when this resolves. Fails when not all was written. */
  appendLine(name: string, line: string, sync: boolean): Promise<void>;
  /** Moves a file away, or returns false when it does not exist: of several callers exactly one gets true. */
  claim(name: string, claimedName: string): Promise<boolean>;
}

/** What texts are embedded for: somebody waits for a query; documents can wait. */
export type EmbeddingPurpose = 'query' | 'document';

/** Text to vectors, for the semantic retriever. */
export interface Embedder {
  /** Changes with the model: vectors of different names are never compared. */
  readonly name: string;
  /** One vector for each text, all of one length. Rejects with an Error whose message says why, and when the signal is aborted. */
  embed(texts: readonly string[], signal: AbortSignal, purpose: EmbeddingPurpose): Promise<readonly Float32Array[]>;
}

/** A unit vector as int8 codes: value ≈ code × scale. */
export interface QuantizedVector {
  readonly codes: Int8Array;
  readonly scale: number;
}

/** Vectors by the SHA-256 (hex) of their text, kept between sessions. What is lost or unreadable is made again. */
export interface VectorStore {
  /** Every vector that an embedder of this name has made. */
  load(embedder: string): Promise<ReadonlyMap<string, QuantizedVector>>;
  /** Adds vectors. Rejects when they could not be written. */
  save(embedder: string, vectors: ReadonlyMap<string, QuantizedVector>): Promise<void>;
}

/** Says in plain English what a goal means that the search's own rules can't read. Off unless the user switches it on. */
export interface GoalReader {
  /** Undefined when it is switched off or can't say. What comes back is searched for and nothing else. Rejects on failure and abort. */
  restate(goal: string, signal: AbortSignal): Promise<string | undefined>;
}
