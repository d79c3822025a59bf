/** One definition file of a generated workspace. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

const verbs = [
  'list',
  'inspect',
  'create',
  'update',
  'delete',
  'restart',
  'archive',
  'verify',
  'export',
  'import',
  'rotate',
  'scale',
  'migrate',
  'compare',
  'restore',
  'publish',
  'pause',
  'resume',
  'tag',
  'clean',
];
const objects = [
  'invoice',
  'cluster',
  'branch',
  'certificate',
  'queue',
  'dashboard',
  'customer',
  'backup',
  'container',
  'schedule',
  'report',
  'secret',
  'release',
  'index',
  'table',
  'volume',
  'webhook',
  'session',
  'license',
  'ticket',
  'template',
  'metric',
  'pipeline',
  'package',
  'snapshot',
];
const areas = [
  'billing',
  'staging',
  'production',
  'mobile',
  'warehouse',
  'search',
  'payments',
  'support',
  'analytics',
  'identity',
];
const chineseVerbs = [
  '列出',
  '检查',
  '创建',
  '更新',
  '删除',
  '重启',
  '归档',
  '验证',
  '导出',
  '导入',
  '轮换',
  '扩容',
  '迁移',
  '比较',
  '恢复',
  '发布',
  '暂停',
  '继续',
  '标记',
  '清理',
];

/** The `index`-th action: every verb of every object in every area, then numbered variants. */
function action(index: number): { readonly id: string; readonly text: string } {
  const verb = index % verbs.length;
  const object = objects[Math.floor(index / verbs.length) % objects.length] ?? '';
  const area = areas[Math.floor(index / (verbs.length * objects.length)) % areas.length] ?? '';
  const variant = Math.floor(index / (verbs.length * objects.length * areas.length));
  const name = verbs[verb] ?? '';
  const id = `${area}.${object}.${name}${variant === 0 ? '' : `_${variant}`}`;
  const effect = ['delete', 'publish'].includes(name)
    ? 'I'
    : ['list', 'inspect', 'verify', 'compare', 'export'].includes(name)
      ? 'R'
      : 'W-local';
  const text = `action_id: ${id}
version: 1
title: ${name} ${object} in ${area}
summary: Runs the ${name} step for one ${object} of the ${area} team and prints what changed.
aliases: [${name} a ${object}, ${chineseVerbs[verb] ?? ''} ${object}]
intents: [${name}]
entities: [${object}, ${area}]
when_to_use:
  - the ${area} team needs to ${name} a ${object}
arguments_schema:
  type: object
  additionalProperties: false
  required: [name]
  properties:
    name: { type: string, description: Name of the ${object}. }
    limit: { type: integer, minimum: 1, maximum: 100, default: 10, description: How many at most. }
handler: { type: command, argv: [echo, '\${args.name}', '\${args.limit}'] }
side_effect: ${effect}
risk_level: ${effect === 'I' ? 'high' : 'low'}
`;
  return { id, text };
}

/** `count` actions, twenty to a file. Deterministic. */
export function generateActions(count: number): readonly GeneratedFile[] {
  const files: GeneratedFile[] = [];
  for (let start = 0; start < count; start += 20) {
    const texts: string[] = [];
    for (let index = start; index < Math.min(start + 20, count); index += 1) texts.push(action(index).text);
    files.push({ name: `generated-${String(start).padStart(5, '0')}.yaml`, text: texts.join('---\n') });
  }
  return files;
}

/** Goals in both languages, in the words of the generated actions and in others. Deterministic. */
export function generateQueries(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = (index * 7) % verbs.length;
    const object = objects[(index * 11) % objects.length] ?? '';
    const area = areas[(index * 3) % areas.length] ?? '';
    const forms = [
      `${verbs[verb] ?? ''} the ${object} of ${area}`,
      `${chineseVerbs[verb] ?? ''} ${area} 的 ${object}`,
      `please check why the ${object} is broken, do not delete anything`,
      `${area}.${object}.${verbs[verb] ?? ''}`,
    ];
    return forms[index % forms.length] ?? '';
  });
}
