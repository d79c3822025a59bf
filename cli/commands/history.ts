import { visibleElement } from '../../capabilities/execution/visible-text';
import type { UsageSummary } from '../../capabilities/search/history/usage-history';
import type { Command } from '../command';

/** `capability history` */
export const historyCommand: Command = {
  usage: 'history',
  summary: 'Counts the uses that help to order search results. CAPABILITY_HISTORY=off keeps and uses none.',
  options: {},
  positionals: [0, 0],
  async run({ json }, terminal, host) {
    const { history } = host.engine;
    const folders = await Promise.all(host.definitionRoots.map((root) => history.summarize(root)));
    if (json) terminal.write(JSON.stringify({ enabled: history.isEnabled, folders }));
    else terminal.write([history.isEnabled ? 'On.' : 'Off.', ...folders.map(describeFolder)].join('\n'));
    return 0;
  },
};

/** `capability history clear` */
export const clearHistoryCommand: Command = {
  usage: 'history clear [--all]',
  summary: 'Forgets the uses in this folder and of your own packs, or in every folder. The audit log stays as it is.',
  options: { all: { type: 'boolean' } },
  positionals: [0, 0],
  async run({ json, values }, terminal, host) {
    const isAll = values['all'] === true;
    await host.engine.history.clear(isAll ? 'all' : host.definitionRoots);
    if (json) terminal.write(JSON.stringify({ cleared: isAll ? 'all' : host.definitionRoots }));
    else terminal.write(isAll ? 'The history of every folder is cleared.' : 'The history is cleared.');
    return 0;
  },
};

function describeFolder({ root, uses, withGoal, oldest, newest }: UsageSummary): string {
  const total = uses.described + uses.succeeded + uses.failed + uses.declined;
  const counts = `${uses.described} described, ${uses.succeeded} succeeded, ${uses.failed} failed, ${uses.declined} declined`;
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const period = oldest === undefined || newest === undefined ? '' : ` from ${day(oldest)} to ${day(newest)}`;
  return `${visibleElement(root)}: ${total} uses${period} (${counts}), ${withGoal} after a search`;
}
