import type { RegistryView, RuntimeContext, SideEffect } from '../../models';
import type { Localize } from '../confirmation-messages';
import type { ConfirmationText } from '../confirmation-text';
import { visibleElement, visibleInQuotes, visibleText } from '../visible-text';
import type { PackChanges } from './pack-changes';
import { approvalUnit, type PackContent } from './pack-content';

/** What the dialog is made from. */
export interface ApprovalCase {
  readonly content: PackContent;
  /** When it was approved before, and what is different now. */
  readonly since: { readonly approvedAt: string; readonly changes: PackChanges } | undefined;
  readonly context: RuntimeContext;
}

const MOST_NAMES = 12;
const effects: readonly SideEffect[] = ['R', 'W-local', 'W-shared', 'I'];
const counts = { R: 'approveR', 'W-local': 'approveWLocal', 'W-shared': 'approveWShared', I: 'approveI' } as const;

/**
 * What a person reads before a pack may run for the first time, or again after a change. Counted from the definitions; no word of it is the
 * pack's own but names, which are shown so that they can't pass for words of the dialog.
 */
export function approvalText(
  { content, since, context }: ApprovalCase,
  registry: RegistryView,
  localize: Localize,
): ConfirmationText {
  const { packId, scope } = content;
  const actions = registry
    .all()
    .flatMap((each) =>
      each.type === 'action' && each.scope.name === scope.name && approvalUnit(each.id) === packId ? [each] : [],
    );
  const byEffect = effects.flatMap((effect) => {
    const count = actions.filter(({ definition }) => definition.side_effect === effect).length;
    return count === 0 ? [] : [localize(counts[effect], String(count))];
  });
  const programs = actions.flatMap(({ definition: { handler } }) =>
    handler.type === 'command' ? handler.argv.slice(0, 1) : [],
  );
  const files = [...content.items.keys()].flatMap((name) => (name.startsWith('file:') ? [name.slice(5)] : []));
  const list = (names: readonly string[]): string => nameList(names, localize);
  const lines = [
    ...(since === undefined ? [localize('approveNew')] : changeLines(since, list, localize)),
    '',
    localize('approveFolder', visibleText(scope.root)),
    localize('approveActions', String(actions.length), byEffect.join(', ')),
    ...(programs.length === 0 ? [] : [localize('approvePrograms', list([...new Set(programs)].sort()))]),
    ...(files.length === 0 ? [] : [localize('approveScripts', list(files))]),
    '',
    localize('approveMeaning'),
    localize(context.principals.includes('agent') ? 'askedByAgentVscode' : 'askedByUser'),
  ];
  return { title: localize('approveTitle', visibleInQuotes(packId)), detail: lines.join('\n') };
}

function changeLines(
  { approvedAt, changes }: NonNullable<ApprovalCase['since']>,
  list: (names: readonly string[]) => string,
  localize: Localize,
): readonly string[] {
  const line = (key: 'approveChanged' | 'approveAdded' | 'approveRemoved', names: readonly string[]) =>
    names.length === 0 ? [] : [localize(key, list(names.map((name) => name.replace(/^file:/u, ''))))];
  return [
    localize('approveAgain', approvedAt.slice(0, 16).replace('T', ' ')),
    ...line('approveChanged', changes.changed),
    ...line('approveAdded', changes.added),
    ...line('approveRemoved', changes.removed),
  ];
}

function nameList(names: readonly string[], localize: Localize): string {
  const shown = names.slice(0, MOST_NAMES).map(visibleElement);
  if (names.length > MOST_NAMES) shown.push(localize('moreItems', String(names.length - MOST_NAMES)));
  return shown.join(', ');
}
