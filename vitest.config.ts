import { defineConfig } from 'vitest/config';

/** Rooms whose tests hold nothing between them and load no native code: their files share one process, so that modules load once. */
const shared = [
  'test/{e2e,contract,golden,meta,property}/**/*.test.ts',
  'test/unit/{agent,commands,context,domain,model,report,terminal}/**/*.test.ts',
];
const common = {
  setupFiles: ['test/support/same-chance.ts', 'test/support/clean-up-hooks.ts'],
  testTimeout: 60_000,
  // Removing the worlds of a whole crash run takes longer than the usual ten seconds on a busy machine.
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'pure', include: shared, isolate: false } },
      { test: { ...common, name: 'world', include: ['test/**/*.test.ts'], exclude: shared } },
    ],
  },
});
