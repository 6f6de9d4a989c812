import type { OptionSamples } from './optionSamples.ts';

const USERS = '--num-users 2 --conversation-turn-mean 2';

/** Options of `servelens profile` that limit the load, or change it over time. */
export const LOAD_SAMPLES: OptionSamples = {
  'session-header': { words: '--session-header X-Session-ID' },
  'prefill-concurrency': { words: '--prefill-concurrency 2', requires: '--streaming --concurrency 3' },
  'prefill-concurrency-ramp-duration': {
    words: '--prefill-concurrency-ramp-duration 0.5',
    requires: '--streaming --concurrency 3 --prefill-concurrency 2',
  },
  'request-rate-series': { words: '--request-rate-series rates.json' },
  'user-centric-rate': { words: `--user-centric-rate 50 ${USERS}` },
  'num-users': { words: '--num-users 4', requires: `--user-centric-rate 20 ${USERS}` },
  'conversation-turn-delay-ratio': {
    words: '--conversation-turn-delay-ratio 0',
    requires: '--conversation-turn-mean 2 --conversation-turn-delay-mean 50',
  },
  'num-warmup-sessions': { words: '--num-warmup-sessions 2' },
  'warmup-prefill-concurrency': {
    words: '--warmup-prefill-concurrency 1',
    requires: '--streaming --warmup-concurrency 2 --warmup-request-count 2',
  },
  'warmup-concurrency-ramp-duration': {
    words: '--warmup-concurrency-ramp-duration 0.2',
    requires: '--warmup-concurrency 5 --warmup-request-count 5',
  },
  'warmup-prefill-concurrency-ramp-duration': {
    words: '--warmup-prefill-concurrency-ramp-duration 0.2',
    requires: '--streaming --warmup-concurrency 5 --warmup-prefill-concurrency 5 --warmup-request-count 5',
  },
  'warmup-request-rate-ramp-duration': {
    words: '--warmup-request-rate-ramp-duration 0.2',
    requires: '--warmup-request-count 6 --warmup-request-rate 50',
  },
};
