import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** One setting for every package: plain Node, no globals, and a results file that the tally adds up. */
export const shared: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    reporters: ['default', ['json', { outputFile: 'test-results.json' }]],
    // Against a test that hangs, and nothing else: machines that do much besides take fifty times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
