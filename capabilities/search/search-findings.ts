import type {
  CallOptions,
  ParsedQuery,
  RankedCandidate,
  Resolution,
  RuntimeContext,
  SearchInput,
  SearchPlan,
  SessionTrail,
} from '../models';
import type { RequestLimits } from './policy-filter';
import type { DispatchOutcome } from './search-dispatcher';

/** One search on its way through the stages. */
export interface Search {
  readonly input: SearchInput;
  readonly context: RuntimeContext;
  readonly trail: SessionTrail;
  readonly options: CallOptions;
  readonly limits: RequestLimits;
  readonly query: ParsedQuery;
  readonly startedAt: number;
}

/** What the stages have found. */
export interface Findings {
  readonly plan: SearchPlan;
  readonly outcome: DispatchOutcome;
  readonly resolution: Resolution;
  readonly features?: Readonly<Record<string, number>>;
  readonly shown: readonly RankedCandidate[];
  /** The page as it would be shown if it were good enough. */
  readonly page: readonly RankedCandidate[];
  readonly ranked: readonly RankedCandidate[];
  readonly available: number;
  readonly candidateCount: number;
  readonly filtered: Readonly<Record<string, number>>;
  readonly retrievedAt: number;
}

/** What there is to say when the pack to search in is not there. */
export function nothingFound(retrievedAt: number): Findings {
  const plan = { retrievers: [], reason: 'the pack to search in is not there' };
  const outcome = { hits: new Map(), completed: [], failures: [], partial: false };
  const found = { shown: [], page: [], ranked: [], available: 0, candidateCount: 0, filtered: {} };
  return { plan, outcome, resolution: 'no_confident_match', ...found, retrievedAt };
}
