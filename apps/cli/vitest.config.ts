import { mergeConfig } from 'vitest/config';
import { sharedWithProcesses } from '../../vitest.shared.ts';

// These tests take longer than all others together, and mostly wait for the processes that they start.
export default mergeConfig(sharedWithProcesses, {
  test: { maxWorkers: 3, setupFiles: ['test/support/setup.ts'] },
});
