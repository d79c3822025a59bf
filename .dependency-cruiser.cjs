/** The doors between the rooms (see CONTRIBUTING.md). @type {import('dependency-cruiser').IConfiguration} */
const stage = '^capabilities/(registry|search|disclosure|execution|evaluation)/';
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^capabilities/generated/'] },
      to: {},
    },
    {
      name: 'only-the-client-knows-vscode',
      severity: 'error',
      from: { pathNot: '^client/' },
      to: { path: '^vscode$' },
    },
    {
      name: 'node-only-in-the-adapters',
      comment: 'The engine reaches the machine through ports.',
      severity: 'error',
      from: { path: '^capabilities/', pathNot: '^capabilities/node/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'adapters-only-at-composition',
      severity: 'error',
      from: { path: '^capabilities/', pathNot: '^capabilities/node/' },
      to: { path: '^capabilities/node/' },
    },
    {
      name: 'stages-do-not-import-stages',
      comment: 'registry, search, disclosure, execution and evaluation meet in engine.ts only.',
      severity: 'error',
      from: { path: stage },
      to: { path: stage, pathNot: '^capabilities/$1/' },
    },
    {
      name: 'models-and-ports-import-nothing-above',
      severity: 'error',
      from: { path: '^capabilities/(models|budget-limits|isolation-limits|ports)\\.ts$' },
      to: {
        path: '^capabilities/',
        pathNot: '^capabilities/(models\\.ts|(budget|isolation)-limits\\.ts|ports\\.ts|generated/)',
      },
    },
    {
      name: 'engine-does-not-know-its-hosts',
      severity: 'error',
      from: { path: '^capabilities/' },
      to: { path: '^(client|server|protocol|cli|mcp)/' },
    },
    {
      name: 'protocol-knows-only-models',
      severity: 'error',
      from: { path: '^protocol/' },
      to: { path: '^(capabilities/(?!models\\.ts|generated/)|client|server|cli)' },
    },
    {
      name: 'client-is-thin',
      comment: 'The client talks to the engine through the protocol only.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(capabilities/(?!models\\.ts|generated/types|tools/tool-contracts)|server/|cli/)' },
    },
    {
      name: 'hosts-do-not-import-hosts',
      severity: 'error',
      from: { path: '^(server|cli|mcp)/' },
      to: { path: '^(server|cli|mcp|client)/', pathNot: '^$1/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json', '.d.ts'] },
  },
};
