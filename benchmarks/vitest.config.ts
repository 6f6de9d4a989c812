import { mergeConfig } from 'vitest/config';
import { shared } from '../vitest.shared.ts';

// Some tests change flags of the process.
export default mergeConfig(shared, { test: { isolate: true } });
