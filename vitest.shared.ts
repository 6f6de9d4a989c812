import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';

/** Seed of property tests, so that every run generates the same cases. SERVELENS_PROPERTY_SEED overrides it. */
const PROPERTY_SEED = Number(process.env.SERVELENS_PROPERTY_SEED ?? 2026);

/** Configures fast-check with the seed in every test file that imports it. */
const propertySeed: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'property-seed',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes("from 'fast-check'")) return undefined;
    const configuration = `import { configureGlobal as seedProperties } from 'fast-check';
seedProperties({ seed: ${PROPERTY_SEED} });`;
    return { code: `${code}\n${configuration}\n`, map: null };
  },
};

/** Settings of all packages, including a file of results for tally.mjs. */
export const shared: ViteUserConfig = defineConfig({
  plugins: [propertySeed],
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // Test files that run one after the other in a process share its modules: loading them took a fifth of the time.
    isolate: false,
    restoreMocks: true,
    // The models of the tests have no tokenizers, and their pods are not in the cluster that may run the tests.
    env: { SERVELENS_TOKENIZER: 'builtin', KUBERNETES_SERVICE_HOST: '' },
    reporters: ['default', ['json', { outputFile: 'test-results.json' }]],
    // Only stops tests that hang: a busy machine may be fifty times slower than an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    passWithNoTests: false,
  },
});

/**
 * Settings of packages whose tests start processes and servers, which another program on the machine can delay. A
 * failed test runs a second time; scripts/tally.mjs names every test that passes only then.
 */
export const sharedWithProcesses: ViteUserConfig = mergeConfig(shared, defineConfig({ test: { retry: 1 } }));
