import type { ActionDefinition } from '../capabilities/models';

/** Words that the generated tools and queries are made of; a query's words are among them, as in a real registry. */
const VERBS =
  'list get show create add update change delete remove archive restore export import search find check verify validate diagnose inspect compare merge split convert sync upload download publish deploy restart start stop pause resume schedule cancel assign approve reject rotate encrypt backup clone measure summarize notify'.split(
    ' ',
  );
const OBJECTS =
  'invoice order customer account payment refund ticket issue comment branch commit release pipeline build artifact container image cluster node volume snapshot backup database table index query schema record row document page folder file attachment photo video playlist track message channel thread mailbox contact calendar event meeting room booking flight hotel route vehicle shipment warehouse product price discount coupon campaign audience segment report dashboard metric alert incident log trace certificate key secret token role policy user group team project task sprint milestone budget expense contract employee salary vacation candidate interview course lesson exam student patient appointment prescription device sensor thermostat light camera door firmware domain record subnet firewall gateway proxy queue topic webhook template form survey translation glossary model dataset experiment notebook'.split(
    ' ',
  );
const SYSTEMS =
  'acme northwind fabrikam contoso globex initech umbrella stark wayne hooli piper vandelay dunder cyberdyne tyrell weyland aperture blackmesa octan gringotts monarch oscorp rekall soylent virtucon wonka zorg massive bluth sterling'.split(
    ' ',
  );
const QUALIFIERS =
  'monthly daily overdue pending failed duplicate stale active archived shared private public remote local nightly scheduled recurring temporary encrypted compressed large recent unread flagged expired verified draft'.split(
    ' ',
  );
const PURPOSES = [
  'so that the team can review it before anything is changed',
  'optionally limited to a range of dates and an owner',
  'and returns the identifiers together with their status',
  'without touching what is already there',
  'and notifies everyone who follows it',
  'with the fields that the caller asks for',
  'across every region, newest first',
  'and fails when it is locked by someone else',
];
const ARGUMENTS: readonly (readonly [string, string])[] = [
  ['id', 'Identifier as returned by the list.'],
  ['owner', 'Person or team that it belongs to.'],
  ['start_date', 'First day, as YYYY-MM-DD.'],
  ['end_date', 'Last day, as YYYY-MM-DD.'],
  ['limit', 'How many entries at most.'],
  ['status', 'Only entries in this state.'],
  ['region', 'Region in which it is kept.'],
  ['format', 'Form of the output, such as csv or json.'],
  ['dry_run', 'Only say what would happen.'],
  ['tags', 'Labels that it must carry.'],
];
const CHINESE = [
  ['列出', '查看', '创建', '更新', '删除', '导出', '检查', '恢复', '发布', '重启'],
  ['发票', '订单', '客户', '分支', '容器', '数据库', '会议', '报表', '证书', '日志', '任务', '设备'],
] as const;

/** Random numbers that are the same each time (mulberry32). */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to below `bound`. */
  roll(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * bound);
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.roll(list.length)];
    if (item === undefined) throw new Error('Nothing to pick from.');
    return item;
  }
}

/** The `index`-th tool of a large registry: short names, prose of one or two sentences, two to five arguments; one in eight in Chinese. */
function makeTool(index: number, dice: Dice): ActionDefinition {
  const [verb, object, qualifier] = [dice.pick(VERBS), dice.pick(OBJECTS), dice.pick(QUALIFIERS)];
  const system = dice.pick(SYSTEMS);
  const isChinese = index % 8 === 7;
  const [chineseVerb, chineseObject] = [dice.pick(CHINESE[0]), dice.pick(CHINESE[1])];
  const title = isChinese ? `${chineseVerb}${system}的${chineseObject}` : `${verb}_${qualifier}_${object}`;
  const summary = isChinese
    ? `${chineseVerb}${system}系统中的${chineseObject}，可以按日期和负责人筛选，返回编号和状态。`
    : `${verb.charAt(0).toUpperCase()}${verb.slice(1)} the ${qualifier} ${object} of a ${system} ${dice.pick(OBJECTS)} ${dice.pick(PURPOSES)}.`;
  const names = Array.from({ length: 2 + dice.roll(4) }, () => dice.pick(ARGUMENTS));
  return {
    action_id: `${system}.${object}.${verb}_${qualifier}_${index}`,
    version: 1,
    title,
    summary,
    arguments_schema: {
      type: 'object',
      properties: Object.fromEntries(names.map(([name, description]) => [name, { type: 'string', description }])),
    },
    handler: { type: 'command', argv: ['true'] },
    side_effect: 'R',
    risk_level: 'low',
  };
}

/** `count` tools, the same each time. */
export function makeTools(count: number): readonly ActionDefinition[] {
  const dice = new Dice(20250101);
  return Array.from({ length: count }, (_, index) => makeTool(index, dice));
}

/** `count` goals of four to fifteen words in both languages, the same each time; one in ten names a tool exactly. */
export function makeGoals(count: number, tools: readonly ActionDefinition[]): readonly string[] {
  const dice = new Dice(7);
  return Array.from({ length: count }, (_, index) => {
    const [verb, object, other] = [dice.pick(VERBS), dice.pick(OBJECTS), dice.pick(OBJECTS)];
    const [system, qualifier] = [dice.pick(SYSTEMS), dice.pick(QUALIFIERS)];
    const goals = [
      `${verb} the ${qualifier} ${object} of ${system}`,
      `I need to ${verb} every ${object} that belongs to the ${other} before next week, please do not delete anything`,
      `why does the ${object} in ${system} fail, can you check the ${other}?`,
      `${dice.pick(CHINESE[0])}${system}最近的${dice.pick(CHINESE[1])}`,
      `先检查一下${dice.pick(CHINESE[1])}的状态，不要${dice.pick(CHINESE[0])}，然后${verb} ${object}`,
    ];
    return index % 10 === 9 ? dice.pick(tools).action_id : (goals[index % goals.length] ?? '');
  });
}
