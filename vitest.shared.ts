import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** Cases of property tests are drawn by this seed: they are the same in every run. SERVELENS_PROPERTY_SEED draws others. */
const PROPERTY_SEED = Number(process.env.SERVELENS_PROPERTY_SEED ?? 2026);

/** Tells fast-check of the seed wherever tests use it. */
const seededProperties: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'seeded-properties',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes("from 'fast-check'")) return undefined;
    const seeded = `import { configureGlobal as seedProperties } from 'fast-check';
seedProperties({ seed: ${PROPERTY_SEED} });`;
    return { code: `${code}\n${seeded}\n`, map: null };
  },
};

/** One setting for every package: plain Node, no globals, and a results file that the tally adds up. */
export const shared: ViteUserConfig = defineConfig({
  plugins: [seededProperties],
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    reporters: ['default', ['json', { outputFile: 'test-results.json' }]],
    // Against a test that hangs, and nothing else: machines that do much besides take fifty times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    passWithNoTests: false,
  },
});
