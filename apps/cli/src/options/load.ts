import { ARRIVAL_PATTERNS } from '@org/loadgen';
import { flag, type OptionTable, option } from '@org/terminal/program';

/** The arrival pattern of AIPerf for requests without a rate. With a rate, arrivals are those of `poisson`, as in AIPerf. */
export const BURST = 'concurrency_burst';

/** Options for sending requests during profiling. */
export const LOAD_OPTIONS: OptionTable = {
  concurrency: option('N', 'Maximum concurrent requests', {
    defaultText: '1, or unlimited with --request-rate or --fixed-schedule',
  }),
  'request-rate': option(
    'RATE',
    'Request rate per second (open loop); inf starts requests as fast as --concurrency allows, by default all at once',
  ),
  'request-rate-series': option(
    'FILE',
    'JSON file with request rates over time, such as [{"time_s": 0, "qps": 5}, {"time_s": 60, "qps": 20}]; rates between points are interpolated',
  ),
  'user-centric-rate': option(
    'RATE',
    'Request rate per second of all users together; each user sends a turn every --num-users / RATE seconds',
  ),
  'num-users': option('N', 'Number of users of --user-centric-rate'),
  'arrival-pattern': option('PATTERN', 'Distribution of request arrivals with --request-rate', {
    hiddenAliases: ['request-rate-mode'],
    choices: [...ARRIVAL_PATTERNS, BURST],
    defaultText: 'poisson',
  }),
  'arrival-smoothness': option(
    'SHAPE',
    'Shape parameter of gamma arrivals: 1 equals poisson, smaller values are burstier, larger values more regular',
    { hiddenAliases: ['vllm-burstiness'], defaultText: '1' },
  ),
  'prefill-concurrency': option('N', 'Maximum concurrent requests that wait for their first token', {
    defaultText: 'unlimited',
  }),
  'request-count': option('N', 'Number of requests to send', {
    aliases: ['num-requests'],
    defaultText:
      'twice the concurrency, at least 10; unlimited with --benchmark-duration, --num-sessions or --fixed-schedule',
  }),
  'num-sessions': option('N', 'Maximum number of conversations to start', {
    aliases: ['conversation-num'],
    hiddenAliases: ['num-conversations'],
  }),
  'benchmark-duration': option('SECONDS', 'Time in seconds after which no more requests are sent'),
  'benchmark-grace-period': option(
    'SECONDS',
    'Time in seconds to wait for in-flight requests after --benchmark-duration; inf waits for all',
    { defaultText: '30' },
  ),
  'concurrency-ramp-duration': option('SECONDS', 'Time in seconds to ramp up the concurrency'),
  'prefill-concurrency-ramp-duration': option(
    'SECONDS',
    'Time in seconds to ramp up the prefill concurrency',
  ),
  'request-rate-ramp-duration': option('SECONDS', 'Time in seconds to ramp up the request rate'),
  'request-cancellation-rate': option('PERCENT', 'Percentage of requests to cancel'),
  'request-cancellation-delay': option('SECONDS', 'Time in seconds from sending a request to cancelling it', {
    defaultText: '0',
  }),
  'failed-request-threshold': option(
    'RATIO',
    'Abort the run if more than this fraction of requests has failed, from 0 to 1; checked once the larger of --concurrency and 10 requests have ended',
    { defaultText: 'never' },
  ),
  'stop-over-saturated': flag(
    'End the load when more requests arrive than the servers can process: their queues have grown for --over-saturation-window',
  ),
  'over-saturation-window': option(
    'SECONDS',
    'Minimum time in seconds over which the growth of the queues is measured',
    {
      defaultText: '30',
    },
  ),
  workers: option(
    'N',
    'Maximum number of worker threads that send requests; at most one per core, and one per request in flight',
    {
      aliases: ['workers-max'],
      hiddenAliases: ['max-workers'],
      defaultText: 'the main thread sends requests',
    },
  ),
  'random-seed': option('SEED', 'Seed for prompts, arrivals and cancellations, to reproduce a run', {
    defaultText: 'random',
  }),
};

/** Default text of warm-up options in the help. */
const SAME_AS_PROFILING = 'same as profiling';

/** Options for sending requests during the warm-up, except --warmup-duration (see `PHASE_OPTIONS`). */
export const WARMUP_OPTIONS: OptionTable = {
  'warmup-request-count': option('N', 'Number of warm-up requests; results exclude them', {
    aliases: ['num-warmup-requests'],
    defaultText: '0',
  }),
  'num-warmup-sessions': option('N', 'Maximum number of conversations to start during the warm-up'),
  'warmup-concurrency': option('N', 'Maximum concurrent requests during the warm-up', {
    defaultText: SAME_AS_PROFILING,
  }),
  'warmup-prefill-concurrency': option(
    'N',
    'Maximum concurrent requests that wait for their first token during the warm-up',
    { defaultText: SAME_AS_PROFILING },
  ),
  'warmup-request-rate': option(
    'RATE',
    'Request rate per second during the warm-up; inf sends as many requests as --warmup-concurrency allows',
    {
      defaultText: SAME_AS_PROFILING,
    },
  ),
  'warmup-arrival-pattern': option('PATTERN', 'Distribution of request arrivals during the warm-up', {
    choices: [...ARRIVAL_PATTERNS, BURST],
    defaultText: SAME_AS_PROFILING,
  }),
  'warmup-concurrency-ramp-duration': option(
    'SECONDS',
    'Time in seconds to ramp up the concurrency of the warm-up',
    { defaultText: SAME_AS_PROFILING },
  ),
  'warmup-prefill-concurrency-ramp-duration': option(
    'SECONDS',
    'Time in seconds to ramp up the prefill concurrency of the warm-up',
    { defaultText: SAME_AS_PROFILING },
  ),
  'warmup-request-rate-ramp-duration': option(
    'SECONDS',
    'Time in seconds to ramp up the request rate of the warm-up',
    { defaultText: SAME_AS_PROFILING },
  ),
  'warmup-grace-period': option(
    'SECONDS',
    'Time in seconds to wait for in-flight requests after the warm-up; inf waits for all',
    { defaultText: 'inf' },
  ),
};
