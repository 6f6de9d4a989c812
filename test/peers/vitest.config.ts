import { defineConfig, mergeConfig } from 'vitest/config';
import { shared } from '../../vitest.shared.ts';
import { selectPeers } from './peers.ts';

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: selectPeers().peers.map(({ name }) => `${name}/*.test.ts`),
      globalSetup: ['setup.ts'],
      // Only stops tests that hang.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      // Peers and Servelens are compared on the same machine, so only one file of tests runs at a time.
      fileParallelism: false,
    },
  }),
);
