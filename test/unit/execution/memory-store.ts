import { setImmediate as turn } from 'node:timers/promises';
import type { Clock, DataStore, Logger } from '../../../capabilities/ports';

/** A data store in memory; every operation takes a turn of the event loop, so that concurrent callers interleave. */
export class MemoryStore implements DataStore {
  readonly folder = '/data';
  readonly files = new Map<string, string>();
  /** When set, writing fails with this message. */
  failure: string | undefined;

  async read(name: string): Promise<string | undefined> {
    await turn();
    return this.files.get(name);
  }

  async write(name: string, text: string): Promise<void> {
    await turn();
    this.#check();
    this.files.set(name, text);
  }

  async remove(name: string): Promise<void> {
    await turn();
    this.files.delete(name);
  }

  async list(folder: string): Promise<readonly string[]> {
    await turn();
    const prefix = `${folder}/`;
    return [...this.files.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .sort();
  }

  async appendLine(name: string, line: string): Promise<void> {
    await turn();
    this.#check();
    this.files.set(name, `${this.files.get(name) ?? ''}${line}\n`);
  }

  async claim(name: string, claimedName: string): Promise<boolean> {
    await turn();
    const text = this.files.get(name);
    if (text === undefined) return false;
    this.files.delete(name);
    this.files.set(claimedName, text);
    return true;
  }

  #check(): void {
    if (this.failure !== undefined) throw new Error(this.failure);
  }
}

/** A clock that moves when the test says so. */
export class HandClock implements Clock {
  wall = Date.UTC(2026, 0, 1);
  steady = 0;

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.steady;
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }

  /** Both clocks go on. */
  advance(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }
}

/** Collects what is logged. */
export class MemoryLogger implements Logger {
  readonly lines: string[] = [];

  log(level: string, message: string, fields: Readonly<Record<string, string | number | boolean>> = {}): void {
    this.lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  }
}
