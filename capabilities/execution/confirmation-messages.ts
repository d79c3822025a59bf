/** Every word of the confirmation dialog in English. `{0}`, `{1}` stand for values. */
export const englishConfirmationMessages = {
  title: 'Run "{0}"?',
  effectR: 'Effect: reads only.',
  effectWLocal: 'Effect: changes this machine or this workspace.',
  effectWShared: 'Effect: changes data that others share.',
  effectI: 'Effect: high impact. It may delete, publish, pay or send, and may not be undone.',
  riskLow: 'Risk: low.',
  riskMedium: 'Risk: medium.',
  riskHigh: 'Risk: HIGH.',
  riskCritical: 'Risk: CRITICAL.',
  reversible: 'It can be undone.',
  notReversible: 'It can NOT be undone.',
  reversibleUnknown: 'Whether it can be undone is not stated.',
  command: 'Command: {0}',
  script: 'Script: {0}',
  arguments: 'Arguments: {0}',
  standardInput: 'Input: {0}',
  folder: 'Folder: {0}',
  affects: 'Affects: {0}',
  affectsNothingStated: 'Affects: nothing is stated.',
  environment: 'Environment: {0}',
  environmentFromHost: '{0} (from your environment)',
  networkNone: 'Network: none.',
  networkAny: 'Network: any host.',
  networkHosts: 'Network: {0}',
  filesNone: 'Files it may write: none.',
  files: 'Files it may write: {0}',
  workspaceFolder: 'the workspace folder',
  notIsolated: 'NOT ISOLATED: nothing enforces these limits on network and files.',
  askedByPolicy: 'Asked because of a policy: {0}',
  isolated: 'Isolated: these limits are enforced.',
  timeLimit: 'Time limit: {0} s',
  askedByAgentVscode: 'Asked by: the agent in VS Code',
  askedByAgentMcp: 'Asked by: an agent over MCP',
  askedByAgentCli: 'Asked by: an agent on the command line',
  askedByUser: 'Asked by: you',
  askedByCommandLine: 'Asked by: a call on the command line',
  definition: 'Action: {0}, version {1}',
  approveTitle: 'Approve the pack "{0}"?',
  approveNew: 'Nobody has approved this pack yet. Its definitions and scripts came with the folder.',
  approveAgain: 'This pack has changed since it was approved on {0} (UTC).',
  approveChanged: 'Changed: {0}',
  approveAdded: 'New: {0}',
  approveRemoved: 'Removed: {0}',
  approveFolder: 'Folder: {0}',
  approveActions: 'Actions: {0} ({1})',
  approveR: '{0} read only',
  approveWLocal: '{0} change this machine or this workspace',
  approveWShared: '{0} change what others share',
  approveI: '{0} high impact',
  approvePrograms: 'Programs it starts: {0}',
  approveScripts: 'Files of the folder it runs: {0}',
  approveMeaning:
    'Approved, its actions may run when an agent or you ask for them. Each keeps its own limits and its own confirmation. When anything of it changes, you are asked again.',
  moreCharacters: '… {0} more characters …',
  moreItems: '… and {0} more',
} as const;

/** Key of one message. */
export type ConfirmationMessage = keyof typeof englishConfirmationMessages;

/** Words of the dialog in the reader's language. */
export type Localize = (key: ConfirmationMessage, ...values: readonly string[]) => string;

/** Makes the words from a table of translations; what is not translated stays English. */
export function createLocalize(translations: Partial<Record<ConfirmationMessage, string>>): Localize {
  return (key, ...values) => {
    const template = translations[key] ?? englishConfirmationMessages[key];
    // One pass: a value that looks like a place is not filled again.
    return template.replace(/\{(\d)\}/g, (place, index: string) => values[Number(index)] ?? place);
  };
}

/** The English words. */
export const localizeInEnglish: Localize = createLocalize({});
