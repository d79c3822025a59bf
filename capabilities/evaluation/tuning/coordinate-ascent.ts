import type { Overrides, TunableWeight } from './tunable-weights';
import { weightAt } from './tunable-weights';

/** One step that was taken. */
export interface TuningMove {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Points of the objective that it brought. */
  readonly gain: number;
}

/** What an ascent has come to. */
export interface Ascent {
  readonly overrides: Overrides;
  readonly start: number;
  readonly score: number;
  readonly moves: readonly TuningMove[];
}

/** What an ascent goes by. */
export interface AscentRules {
  /** The table as it is. */
  readonly weights: object;
  readonly tunable: readonly TunableWeight[];
  /** The objective with other weights; rejects when it is to stop. */
  readonly objective: (overrides: Overrides) => Promise<number>;
  readonly signal: AbortSignal;
}

interface Step {
  readonly weight: TunableWeight;
  readonly factor: number;
  readonly gain: number;
}

/** A step goes to this many times the value, or to that part of it. */
const FACTOR = 1.5;
/** Points that a step must bring: less is noise of a few queries. */
const LEAST_GAIN = 0.05;
/** Steps that look worth trying, the best first: the others would cost time and fit noise. */
const PROMISING = 10;
const MOST_PASSES = 3;
const MOST_STEPS_IN_A_ROW = 4;

/**
 * Coordinate ascent: tries one step up and one down for each weight by itself, then takes the most promising steps one after the other for
 * as long as each raises the objective, and again until nothing does. When it is stopped it resolves with the best so far. Deterministic.
 */
export async function ascend(rules: AscentRules): Promise<Ascent> {
  const { objective, signal } = rules;
  const climber = new Climber(rules, await objective({}));
  try {
    const steps = await climber.screen();
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const before = climber.score;
      for (const step of steps) await climber.follow(step);
      if (climber.score === before) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return climber.ascent();
}

class Climber {
  readonly #rules: AscentRules;
  readonly #start: number;
  readonly #moves: TuningMove[] = [];
  #overrides: Overrides = {};
  #score: number;

  constructor(rules: AscentRules, start: number) {
    this.#rules = rules;
    this.#start = start;
    this.#score = start;
  }

  get score(): number {
    return this.#score;
  }

  ascent(): Ascent {
    return { overrides: this.#overrides, start: this.#start, score: this.#score, moves: this.#moves };
  }

  /** The steps that raise the objective by themselves, the best first. */
  async screen(): Promise<readonly Step[]> {
    const steps: Step[] = [];
    for (const weight of this.#rules.tunable) {
      for (const factor of [FACTOR, 1 / FACTOR]) {
        const overrides = this.#stepped(weight, factor);
        if (!overrides) continue;
        const gain = (await this.#rules.objective(overrides)) - this.#start;
        if (gain >= LEAST_GAIN) steps.push({ weight, factor, gain });
      }
    }
    return steps.sort((one, other) => other.gain - one.gain).slice(0, PROMISING);
  }

  /** Goes on in one direction while that helps. */
  async follow({ weight, factor }: Step): Promise<void> {
    for (let step = 0; step < MOST_STEPS_IN_A_ROW; step += 1) {
      const overrides = this.#stepped(weight, factor);
      if (!overrides) return;
      const score = await this.#rules.objective(overrides);
      if (score < this.#score + LEAST_GAIN) return;
      const { path } = weight;
      const [from, to] = [this.#valueOf(path), overrides[path] ?? 0];
      this.#moves.push({ path, from, to, gain: score - this.#score });
      this.#overrides = overrides;
      this.#score = score;
    }
  }

  #valueOf(path: string): number {
    return this.#overrides[path] ?? weightAt(this.#rules.weights, path) ?? 0;
  }

  /** The overrides after a step, or undefined at a bound. Rounded, so that the same value is reached by every way. */
  #stepped({ path, least, most }: TunableWeight, factor: number): Overrides | undefined {
    const value = this.#valueOf(path);
    const next = Number(Math.min(most, Math.max(least, value * factor)).toPrecision(3));
    return next === value ? undefined : { ...this.#overrides, [path]: next };
  }
}
