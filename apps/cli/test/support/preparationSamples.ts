import type { OptionSamples } from './optionSamples.ts';

/** Options of `servelens profile` that prepare servers. */
export const PREPARATION_SAMPLES: OptionSamples = {
  'wait-for-model-timeout': { words: '--wait-for-model-timeout 5' },
  'wait-for-model-mode': { words: '--wait-for-model-mode models', requires: '--wait-for-model-timeout 5' },
  'wait-for-model-interval': {
    words: '--wait-for-model-interval 0.1',
    requires: '--wait-for-model-timeout 5',
  },
  'reset-kv-cache': { words: '--reset-kv-cache' },
  'reset-kv-cache-path': { words: '--reset-kv-cache-path /reset' },
  'reset-kv-cache-timeout-seconds': { words: '--reset-kv-cache-timeout-seconds 7' },
  'server-profiler': { words: '--server-profiler' },
  'server-profiler-start-path': { words: '--server-profiler-start-path /start' },
  'server-profiler-stop-path': { words: '--server-profiler-stop-path /stop' },
  'server-profiler-timeout-seconds': { words: '--server-profiler-timeout-seconds 0.05' },
};
