import { canonicalJson } from '../canonical-json';
import type { FrozenPlan, RuntimeContext } from '../models';
import type { ConfirmationMessage, Localize } from './confirmation-messages';
import { visibleElement, visibleInQuotes, visibleText } from './visible-text';

/** Title and body of the one dialog. */
export interface ConfirmationText {
  readonly title: string;
  readonly detail: string;
}

const longestElement = 600;
const keptTail = 120;
const longestCommand = 4_000;
const mostItems = 12;

const effects: Readonly<Record<FrozenPlan['sideEffect'], ConfirmationMessage>> = {
  R: 'effectR',
  'W-local': 'effectWLocal',
  'W-shared': 'effectWShared',
  I: 'effectI',
};
const risks: Readonly<Record<FrozenPlan['riskLevel'], ConfirmationMessage>> = {
  low: 'riskLow',
  medium: 'riskMedium',
  high: 'riskHigh',
  critical: 'riskCritical',
};

/**
 * What a person reads before a run. Everything in it comes from the frozen plan, and who asks from the host; no word of it is
 * a model's. Nothing is left out in silence: a value that is too long shows how much is missing, and both its ends.
 */
export function confirmationText(plan: FrozenPlan, context: RuntimeContext, localize: Localize): ConfirmationText {
  const lines = [
    // First, because everything below reads as if it held.
    ...(plan.isolation === undefined ? [localize('notIsolated'), ''] : []),
    effectSentence(plan, localize),
    localize('definition', plan.key, String(plan.version)),
    '',
    localize('command', commandLine(plan.argv, localize)),
    ...scriptLines(plan, localize),
    localize('folder', visibleText(plan.cwd)),
    ...environmentLine(plan, localize),
    '',
    affectedLine(plan, localize),
    networkLine(plan, localize),
    filesLine(plan, localize),
    ...(plan.isolation === undefined ? [] : [localize('isolated')]),
    localize('timeLimit', String(plan.timeoutMs / 1_000)),
    ...(plan.askedByPolicy === undefined ? [] : [localize('askedByPolicy', visibleElement(plan.askedByPolicy))]),
    localize(asker(context)),
  ];
  return { title: localize('title', visibleInQuotes(plan.title)), detail: lines.join('\n') };
}

/** Effect, risk and reversibility in one line. */
export function effectSentence(plan: FrozenPlan, localize: Localize): string {
  return [localize(effects[plan.sideEffect]), localize(risks[plan.riskLevel]), localize(reversibility(plan))].join(' ');
}

/** A text of at most about `limit` characters that says how many are missing and keeps its end. */
export function shortenVisibly(text: string, limit: number, localize: Localize): string {
  const characters = Array.from(text);
  if (characters.length <= limit) return text;
  const tail = Math.min(keptTail, Math.floor(limit / 2));
  const missing = localize('moreCharacters', String(characters.length - limit));
  return `${characters.slice(0, limit - tail).join('')}${missing}${characters.slice(-tail).join('')}`;
}

function commandLine(argv: readonly string[], localize: Localize): string {
  const shown: string[] = [];
  let length = 0;
  for (const element of argv) {
    const text = shortenVisibly(visibleElement(element), longestElement, localize);
    length += text.length + 1;
    if (length > longestCommand) return [...shown, localize('moreItems', String(argv.length - shown.length))].join(' ');
    shown.push(text);
  }
  return shown.join(' ');
}

function scriptLines(plan: FrozenPlan, localize: Localize): readonly string[] {
  if (plan.script === undefined) {
    const { stdin } = plan;
    return stdin === undefined ? [] : [localize('standardInput', shownValue(stdin, localize))];
  }
  const json = shortenVisibly(visibleText(canonicalJson(plan.arguments)), longestCommand, localize);
  return [localize('script', visibleText(plan.script)), localize('arguments', json)];
}

/** Values the definition sets are shown; values from the host may be secrets and are shown by name only. */
function environmentLine(plan: FrozenPlan, localize: Localize): readonly string[] {
  const usual = new Set(['PATH', 'HOME', 'LANG', 'TERM', 'CAPABILITY_ARGS']);
  const entries = Object.entries(plan.environment).filter(([name]) => !usual.has(name) || isReplaced(name, plan));
  const texts = entries.map(([name, value]) =>
    plan.hostEnvironment.includes(name)
      ? localize('environmentFromHost', name)
      : `${name}=${shownValue(value, localize)}`,
  );
  return texts.length === 0 ? [] : [localize('environment', texts.join(', '))];
}

function isReplaced(name: string, plan: FrozenPlan): boolean {
  return name !== 'CAPABILITY_ARGS' && !plan.hostEnvironment.includes(name);
}

function shownValue(value: string, localize: Localize): string {
  return shortenVisibly(visibleElement(value), longestElement, localize);
}

function affectedLine(plan: FrozenPlan, localize: Localize): string {
  if (plan.affectedResources.length === 0) return localize('affectsNothingStated');
  return localize('affects', itemList(plan.affectedResources.map(visibleElement), localize));
}

function networkLine(plan: FrozenPlan, localize: Localize): string {
  if (plan.network === 'none') return localize('networkNone');
  if (plan.network === 'any') return localize('networkAny');
  return localize('networkHosts', itemList(plan.network.allow.map(visibleElement), localize));
}

function filesLine(plan: FrozenPlan, localize: Localize): string {
  if (plan.write.length === 0) return localize('filesNone');
  const places = plan.write.map((place) => (place === '.' ? localize('workspaceFolder') : visibleElement(place)));
  return localize('files', itemList(places, localize));
}

/** Items that are visible and delimited: the words of an argument must not read as words of the dialog. */
function itemList(items: readonly string[], localize: Localize): string {
  const shown = items.slice(0, mostItems).map((item) => shortenVisibly(item, longestElement, localize));
  if (items.length > mostItems) shown.push(localize('moreItems', String(items.length - mostItems)));
  return shown.join(', ');
}

function reversibility(plan: FrozenPlan): ConfirmationMessage {
  if (plan.reversible === undefined) return 'reversibleUnknown';
  return plan.reversible ? 'reversible' : 'notReversible';
}

function asker(context: RuntimeContext): ConfirmationMessage {
  // Whether a person or an agent typed a command can't be told.
  if (!context.principals.includes('agent')) return context.host === 'cli' ? 'askedByCommandLine' : 'askedByUser';
  return ({ vscode: 'askedByAgentVscode', mcp: 'askedByAgentMcp', cli: 'askedByAgentCli' } as const)[context.host];
}
