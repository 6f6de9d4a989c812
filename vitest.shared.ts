import { defineConfig, type ViteUserConfig } from 'vitest/config';

/**
 * Seed of property tests, which generate the same cases in every run. SERVELENS_PROPERTY_SEED sets another
 * one.
 */
const PROPERTY_SEED = Number(process.env.SERVELENS_PROPERTY_SEED ?? 2026);

/** Sets the seed in every test file that imports fast-check. */
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

/** Settings for all packages: Node environment, no globals, and a result file for tally.mjs. */
export const shared: ViteUserConfig = defineConfig({
  plugins: [seededProperties],
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    reporters: ['default', ['json', { outputFile: 'test-results.json' }]],
    // Stops tests that hang. Generous, because a busy machine may be fifty times slower.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    passWithNoTests: false,
  },
});
