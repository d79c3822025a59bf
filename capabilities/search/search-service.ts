import type {
  CallOptions,
  ParsedQuery,
  PolicyService,
  RankedCandidate,
  RegistryView,
  Resource,
  ResourceResolver,
  Result,
  Retriever,
  RuntimeContext,
  SearchInput,
  SearchReply,
  SearchTrace,
  SessionTrail,
} from '../models';
import type { Clock, Digest, GoalReader, Logger } from '../ports';
import { ConceptCoverage } from './concept-coverage';
import { CONFIDENCE_TABLE, judgeConfidence } from './confidence';
import { readConfidenceFeatures } from './confidence-features';
import type { ConfidenceKnowledge } from './confidence-features';
import type { ConfidenceTable } from './confidence';
import { Diversifier } from './diversifier';
import { FollowUps, isFromSession } from './follow-up';
import { fuseCandidates } from './fusion';
import { gatherCandidates } from './gatherer';
import { isEmptyGoal, isVagueGoal } from './goal-clarity';
import { GoalRestatement, isUnread, mergeRestated } from './goal-restatement';
import { breakNearTies, splitHistory } from './history/history-bounds';
import { shorten } from './language/shorten';
import { Lexicon } from './lexicon/lexicon';
import { NameCoverage } from './name-coverage';
import { NearestMatches } from './nearest-matches';
import { PackStandIn } from './pack-stand-in';
import { PolicyFilter } from './policy-filter';
import type { Admission } from './policy-filter';
import { QueryNormalizer } from './query-normalizer';
import { buildSearchReply } from './reply-builder';
import { Reranker } from './reranker';
import { ExactRetriever } from './retrievers/exact';
import { HierarchyRetriever } from './retrievers/hierarchy';
import { LexicalRetriever } from './retrievers/lexical';
import { MetadataRetriever } from './retrievers/metadata';
import { adviseNext } from './search-advice';
import { SearchDispatcher } from './search-dispatcher';
import { SearchIndex } from './search-index';
import { nothingFound } from './search-findings';
import type { Findings, Search } from './search-findings';
import { planSearch } from './search-planner';
import { ALL_ON, isRetrieverOn, switchQuery, switchWeights } from './search-switches';
import type { SearchSwitches } from './search-switches';
import { DEFAULT_SEARCH_WEIGHTS } from './search-weights';
import type { SearchWeights } from './search-weights';
import { keepBestText } from './text-fusion';
import { UsageMatcher } from './usage-matcher';

/** What the search needs from outside. */
export interface SearchServiceParts {
  readonly registry: RegistryView;
  readonly policy: PolicyService;
  readonly resolver: ResourceResolver;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
  /** Shared with other parts that read the same words; without it the search makes its own. */
  readonly lexicon?: Lexicon;
  /** More retrievers, such as semantic and history. */
  readonly retrievers?: readonly Retriever[];
  /** Asked about goals that the rules can't read. */
  readonly goalReader?: GoalReader;
  readonly weights?: SearchWeights;
  readonly confidence?: ConfidenceTable;
  /** Parts that are left out, for measuring. */
  readonly switches?: SearchSwitches;
}

const DEFAULT_LIMIT = 5;
const NEAREST_SHOWN = 3;
/** Width of a note on what did not answer; see {@link shorten}. */
const LONGEST_NOTE = 160;

/** Runs a search through every stage (§23): normalise, plan, dispatch, gather, filter, fuse, rerank, diversify, judge, reply. */
export class SearchService {
  readonly #parts: SearchServiceParts;
  readonly #switches: SearchSwitches;
  readonly #weights: SearchWeights;
  readonly #confidence: ConfidenceTable;
  readonly #index: SearchIndex;
  readonly #normalizer: QueryNormalizer;
  readonly #dispatcher: SearchDispatcher;
  readonly #policyFilter: PolicyFilter;
  readonly #coverage: ConceptCoverage;
  readonly #features: ConfidenceKnowledge;
  readonly #followUps: FollowUps;
  readonly #reranker: Reranker;
  readonly #nearestMatches: NearestMatches;
  readonly #diversifier: Diversifier;
  readonly #packs: PackStandIn;
  readonly #restatement: GoalRestatement | undefined;

  constructor(parts: SearchServiceParts) {
    const { registry } = parts;
    this.#parts = parts;
    this.#switches = parts.switches ?? ALL_ON;
    const hasGlossary = !this.#switches.off.has('glossary');
    const lexicon = parts.lexicon ?? new Lexicon({ glossary: hasGlossary ? 'built-in' : 'none' });
    this.#weights = switchWeights(parts.weights ?? DEFAULT_SEARCH_WEIGHTS, this.#switches);
    this.#confidence = parts.confidence ?? CONFIDENCE_TABLE;
    this.#index = new SearchIndex(registry, lexicon, this.#weights);
    this.#normalizer = new QueryNormalizer(registry, this.#index, lexicon);
    const retrievers: readonly Retriever[] = [
      new ExactRetriever(registry, this.#index),
      new LexicalRetriever(this.#index),
      new MetadataRetriever(this.#index, { intents: lexicon.intents, weights: this.#weights.metadata }),
      new HierarchyRetriever(registry),
      ...(parts.retrievers ?? []),
    ];
    const active = retrievers.filter(({ name }) => isRetrieverOn(name, this.#switches));
    this.#dispatcher = new SearchDispatcher(active, this.#weights, parts);
    this.#policyFilter = new PolicyFilter(parts.policy);
    this.#coverage = new ConceptCoverage(this.#index);
    const usage = new UsageMatcher(this.#index, lexicon);
    const names = new NameCoverage(this.#index);
    const unknownWeight = this.#confidence.unknown_term_weight;
    this.#features = { index: this.#index, coverage: this.#coverage, names, unknownWeight };
    const knowledge = { index: this.#index, intents: lexicon.intents, usage, coverage: this.#coverage, names };
    this.#followUps = new FollowUps(registry, this.#index);
    this.#nearestMatches = new NearestMatches(this.#index, lexicon.intents);
    this.#reranker = new Reranker(knowledge, this.#weights);
    this.#diversifier = new Diversifier(this.#weights.diversity);
    this.#packs = new PackStandIn(registry, parts.policy);
    this.#restatement = parts.goalReader && new GoalRestatement(parts.goalReader, parts);
  }

  /** What is derived from the definitions, for keeping it on disk. */
  get index(): SearchIndex {
    return this.#index;
  }

  /** Indexes what has changed in the registry, so that the next search need not. */
  prepare(): void {
    this.#index.refresh();
    this.#normalizer.prepare();
  }

  /** Whether a resource holds a word, given as the search splits and stems words. */
  holdsWord(word: string): boolean {
    return this.#index.frequency(word) > 0;
  }

  /** Finds candidates for a goal. Never fails on a valid input; rejects only when `options.signal` is aborted, with its reason. */
  async search(
    input: SearchInput,
    context: RuntimeContext,
    trail: SessionTrail,
    options: CallOptions,
  ): Promise<SearchReply> {
    return (await this.trace(input, context, trail, options)).reply;
  }

  /** The same search, with how the query was read and the order below the reply's page. */
  async trace(
    input: SearchInput,
    context: RuntimeContext,
    trail: SessionTrail,
    options: CallOptions,
  ): Promise<SearchTrace> {
    options.signal.throwIfAborted();
    const startedAt = this.#parts.clock.monotonic();
    this.#index.refresh();
    const within = this.#resolveWithin(input.within, context);
    const isVisible = (resource: Resource): boolean => this.#parts.policy.may('discover', resource, context);
    const pack = within.ok ? within.value : undefined;
    const read = (text: string): ParsedQuery => this.#normalizer.normalize({ query: text, within: pack, isVisible });
    const parsed = await this.#restated(read(input.query), read, options.signal);
    const query = this.#followUps.mark(switchQuery(parsed, this.#switches), trail);
    const types = input.types ?? (this.#switches.off.has('packs') ? (['action', 'recipe'] as const) : undefined);
    const limits = { within: pack, types, sideEffectMax: input.side_effect_max };
    const search: Search = { input, context, trail, options, limits, query, startedAt };
    if (!within.ok)
      return {
        query,
        features: undefined,
        ranking: [],
        reply: this.#reply(search, nothingFound(this.#parts.clock.monotonic()), within.problem.message),
      };
    const findings = await this.#find(search);
    const reply = this.#reply(search, findings, this.#advice(search, findings));
    const inOrder = [...findings.shown, ...findings.page, ...findings.ranked];
    const ranking = [...new Map(inOrder.map((candidate) => [candidate.resource.key, candidate])).values()];
    return { query, features: findings.features, ranking, reply };
  }

  /** What the rules could not read, read again in a model's words where the user allows that. */
  async #restated(query: ParsedQuery, read: (text: string) => ParsedQuery, signal: AbortSignal): Promise<ParsedQuery> {
    if (this.#restatement === undefined || !isUnread(query, this.#index)) return query;
    const restated = await this.#restatement.restate(query.text, signal);
    return restated === undefined ? query : mergeRestated(query, read(restated));
  }

  #resolveWithin(within: string | undefined, context: RuntimeContext): Result<Resource | undefined> {
    if (within === undefined || within.trim() === '') return { ok: true, value: undefined };
    const found = this.#parts.resolver.resolve(within.trim(), context);
    if (!found.ok || found.value.type === 'pack') return found;
    const message = `"${within}" is not a pack but ${found.value.type === 'action' ? 'an action' : 'a recipe'}: call capability_describe with it, or search with \`within\` "${found.value.parentId ?? ''}".`;
    return { ok: false, problem: { code: 'invalid_request', message, retryable: false } };
  }

  async #find(search: Search): Promise<Findings> {
    const { query, context, limits } = search;
    const plan = planSearch(query, this.#dispatcher.present);
    const admission = this.#policyFilter.admission(limits, context);
    const outcome = await this.#dispatcher.dispatch(plan, {
      query,
      admits: (resource) => admission.admits(resource),
      signal: search.options.signal,
    });
    const retrievedAt = this.#parts.clock.monotonic();
    const { gathered, recalled } = splitHistory(outcome.hits, isVagueGoal(query) || isEmptyGoal(query));
    const led = this.#followUps.join(gathered, search, (resource) => admission.admits(resource));
    const kept = keepBestText(led, this.#weights.text);
    const { candidates, total } = gatherCandidates(kept, this.#parts.registry, this.#weights.candidates);
    const admitted = this.#policyFilter.filter(candidates, context);
    const filtered = admission.counts();
    const fused = fuseCandidates(
      admitted.map(({ candidate, report }) => ({ ...candidate, report })),
      this.#weights.fusion,
    );
    const unknownWeight = this.#confidence.unknown_term_weight;
    const { trail } = search;
    const lastRun = trail.lastRunKey === undefined ? undefined : this.#parts.registry.get(trail.lastRunKey);
    const reranked = this.#reranker.rerank(fused, { query, trail, lastRun, unknownWeight });
    const rules = { ...this.#weights.history, named: new Set(query.explicitKeys) };
    const ranked = this.#order(breakNearTies(reranked, recalled, rules), search);
    const best = this.#page(ranked, search, admission);
    const features = readConfidenceFeatures(query, best, this.#features);
    const resolution = judgeConfidence({ query, ranked: best, features }, this.#confidence);
    const isNothing = resolution === 'no_confident_match';
    const page = isNothing ? this.#nearestMatches.inOrder(best, query) : best;
    const shown = isNothing ? this.#nearest(page, query) : page;
    const counts = { available: ranked.length, candidateCount: total, filtered };
    return { plan, outcome, resolution, features, shown, page, ranked, ...counts, retrievedAt };
  }

  #page(ranked: readonly RankedCandidate[], search: Search, admission: Admission): readonly RankedCandidate[] {
    const rules = this.#pageRules(search, admission);
    return this.#switches.off.has('diversify') ? ranked.slice(0, rules.limit) : this.#diversifier.select(ranked, rules);
  }

  /** Browse results keep the order of the tree. */
  #order(ranked: readonly RankedCandidate[], { query, limits }: Search): readonly RankedCandidate[] {
    if (!query.isBrowseRequest) return ranked;
    const scope = limits.within?.id ?? query.scope;
    const children = ranked.filter((candidate) => candidate.resource.parentId === scope);
    const isTree = children.length > 0 && (scope !== undefined || query.terms.length === 0);
    if (!isTree) return ranked;
    return [...children].sort((left, right) => (left.resource.key < right.resource.key ? -1 : 1));
  }

  #pageRules({ query, input, context }: Search, admission: Admission): Parameters<Diversifier['select']>[1] {
    return {
      query,
      limit: input.limit ?? DEFAULT_LIMIT,
      primaryIntentOf: ({ resource }) => {
        const { declaresIntents, intents } = this.#index.profile(resource);
        // A guess from the name must not push anything off the page.
        return declaresIntents ? intents[0] : undefined;
      },
      packOf: (candidate) => {
        const pack = this.#packs.above(candidate, context);
        return pack !== undefined && admission.admits(pack.resource) ? pack : undefined;
      },
      packsIn: (candidate) => this.#packs.below(candidate, context).filter((pack) => admission.admits(pack.resource)),
    };
  }

  #coverageOf({ resource }: RankedCandidate, query: ParsedQuery): number {
    return this.#coverage.share(
      query.concepts,
      this.#index.profile(resource).words,
      this.#confidence.unknown_term_weight,
    );
  }

  /** Of candidates that were not good enough, the few that have at least something in common with the goal. */
  #nearest(page: readonly RankedCandidate[], query: ParsedQuery): readonly RankedCandidate[] {
    const isNear = (candidate: RankedCandidate): boolean =>
      candidate.violates || isFromSession(candidate) || this.#coverageOf(candidate, query) > 0;
    const isBeside = (candidate: RankedCandidate): boolean => this.#nearestMatches.isBeside(candidate, query);
    return page.filter((candidate) => isNear(candidate) && !isBeside(candidate)).slice(0, NEAREST_SHOWN);
  }

  #advice({ query, trail, context }: Search, findings: Findings): string | undefined {
    const isPack = (resource: Resource): boolean =>
      resource.type === 'pack' && resource.enabled && this.#parts.policy.may('discover', resource, context);
    // Named only where nothing was found; looking at the whole top level costs time.
    const isWanted = findings.resolution === 'no_confident_match';
    const topLevel = isWanted ? this.#parts.registry.children(undefined).filter(isPack) : [];
    const topPacks = [...new Set(topLevel.map((resource) => resource.id))];
    const isRephrasing = trail.searchesInARow + 1 >= this.#confidence.searches_before_advice;
    return adviseNext({ query, ...findings, topPacks, isRephrasing });
  }

  #reply(search: Search, findings: Findings, advice: string | undefined): SearchReply {
    const { query, startedAt, limits, context } = search;
    const isLimited = query.scopeIsHard || (query.isBrowseRequest && query.scope !== undefined);
    const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
    const now = this.#parts.clock.monotonic();
    const { failures } = findings.outcome;
    return buildSearchReply(
      {
        query: search.input.query.normalize('NFKC').trim(),
        scope: isLimited ? (limits.within?.id ?? query.scope ?? null) : null,
        resolution: findings.resolution,
        advice,
        matches: findings.shown,
        shownId: ({ resource }) => this.#shownId(resource, context),
        meta: {
          search_id: this.#parts.digest.randomId().slice(0, 8),
          planned_retrievers: [...findings.plan.retrievers],
          completed_retrievers: [...findings.outcome.completed],
          candidate_count: findings.candidateCount,
          partial: findings.outcome.partial,
          ...(failures.length > 0 ? { notes: failures.map((failure) => shorten(failure, LONGEST_NOTE)) } : {}),
          filtered: { ...findings.filtered },
          timings_ms: { retrieve: rounded(findings.retrievedAt - startedAt), total: rounded(now - startedAt) },
        },
      },
      search.options.tokenBudget,
    );
  }

  /** The bare id where it means exactly this resource, else the id with its scope. */
  #shownId(resource: Resource, context: RuntimeContext): string {
    const found = this.#parts.resolver.resolve(resource.id, context);
    return found.ok && found.value.key === resource.key ? resource.id : resource.key;
  }
}
