import { defineConfig } from 'vitest/config';

// Four kinds of suites: `unit` and `lsp` need nothing but Node; `host` and `agent` start a real VS Code.
const project = (name: string, include: string[], testTimeout: number) => ({
  test: {
    name,
    include,
    testTimeout,
    hookTimeout: Math.max(testTimeout, 60_000),
    // `lsp` runs nothing.
    globalSetup: name === 'lsp' ? [] : ['test/setup/install-bubblewrap.ts'],
    pool: 'forks' as const,
    fileParallelism: name === 'unit' || name === 'lsp' || name === 'battery',
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/corpus/**/*.test.ts'], 20_000),
      project('lsp', ['test/lsp/**/*.test.ts'], 20_000),
      project('battery', ['test/battery/**/*.test.ts'], 60_000),
      project('host', ['test/host/**/*.test.ts'], 180_000),
      project('agent', ['test/agent/**/*.test.ts'], 300_000),
    ],
    coverage: {
      provider: 'v8',
      include: ['capabilities/**/*.ts', 'server/**/*.ts', 'protocol/**/*.ts', 'cli/**/*.ts'],
      exclude: ['**/generated/**'],
    },
  },
});
