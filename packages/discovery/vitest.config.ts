import { mergeConfig } from 'vitest/config';
import { sharedWithProcesses } from '../../vitest.shared.ts';

export default mergeConfig(sharedWithProcesses, { test: { setupFiles: ['test/setup.ts'] } });
