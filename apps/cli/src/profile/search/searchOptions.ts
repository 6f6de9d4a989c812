import { type OptionTable, option } from '@org/terminal/program';
import { RECIPE_NAMES } from './recipeNames.ts';

const STATS = ['avg', 'min', 'max', 'p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'] as const;

/** Options for searches: the best load within limits. */
export const SEARCH_OPTIONS: OptionTable = {
  'search-recipe': option('RECIPE', 'Search or sweep for a common question', { choices: RECIPE_NAMES }),
  'search-sla': option(
    'LIMIT',
    'Limit of a search: METRIC:STATISTIC:lt|le|gt|ge:VALUE, or a rule of servelens read check, which may refer to server metrics',
    { many: 'repeat' },
  ),
  'search-sla-tier': option(
    '[NAME:]LIMIT,...',
    'Group of limits with a separate boundary (2 to 10 groups), such as fast:time_to_first_token:p95:lt:200,inter_token_latency:p95:lt:20',
    { many: 'repeat' },
  ),
  'search-space': option(
    'PARAMETER:LOW,HIGH[:int|real]',
    'Parameter to search, and its range, such as concurrency:1,1000',
    { many: 'repeat' },
  ),
  'search-metric': option('METRIC', 'Metric to optimize, such as output_token_throughput'),
  'search-stat': option('STATISTIC', 'Statistic of --search-metric', {
    choices: STATS,
    defaultText: 'avg',
  }),
  'search-direction': option('DIRECTION', 'Direction of the optimization', {
    choices: ['maximize', 'minimize'],
    defaultText: 'maximize',
  }),
  'search-max-iterations': option('N', 'Maximum number of probes, from 2 to 200', { defaultText: '30' }),
  'search-initial-points': option(
    'N',
    'Number of probes that cover the whole range before the search narrows, with --search-planner latin_hypercube',
    { defaultText: '5' },
  ),
  'search-random-seed': option('SEED', 'Seed of --search-planner latin_hypercube', {
    defaultText: '--random-seed',
  }),
  'search-planner': option(
    'PLANNER',
    'Method of the search: isotonic finds the boundary of one parameter, latin_hypercube searches several. The planners of AIPerf are replaced: smooth_isotonic and monotonic_sla by isotonic, bayesian and optuna by latin_hypercube',
    {
      choices: ['isotonic', 'latin_hypercube', 'smooth_isotonic', 'monotonic_sla', 'bayesian', 'optuna'],
      defaultText: 'isotonic for one parameter with limits, otherwise latin_hypercube',
    },
  ),
  'search-style': option(
    'STYLE',
    'Method of the recipe max-concurrency-under-sla: grid runs a sweep; all others are the isotonic search',
    {
      choices: ['smooth_isotonic', 'monotonic', 'bo', 'optuna', 'grid'],
      defaultText: 'smooth_isotonic',
    },
  ),
  'search-precision': option(
    'RATIO',
    'Distance of the values on both sides of the boundary at which the search ends, as a fraction of the upper one',
    { defaultText: '0.05' },
  ),
  'search-replicates': option(
    'N',
    'Number of runs, from 1 to 20, of each value next to the boundary and of each value that narrows its interval',
    {
      defaultText: '3',
    },
  ),
  'ttft-sla-ms': option('MS', 'Limit of the 95th percentile of the time to first token, in ms'),
  'itl-sla-ms': option('MS', 'Limit of the 95th percentile of the inter-token latency, in ms', {
    aliases: ['tpot-sla-ms'],
  }),
  'e2e-sla-ms': option('MS', 'Limit of the 99th percentile of the request latency, in ms'),
  'error-rate-sla': option('RATIO', 'Limit of the share of failed requests, between 0 and 1'),
  'slo-attainment-fraction': option(
    'RATIO',
    'Minimum share of requests that meet all limits, with --search-recipe max-goodput-under-slo',
    { defaultText: '0.95' },
  ),
  'concurrency-min': option('N', 'Lowest concurrency of a recipe', { defaultText: '1' }),
  'concurrency-max': option('N', 'Highest concurrency of a recipe', {
    defaultText: '1000; 200 for decode-itl-curve',
  }),
  'concurrency-steps': option('N', 'Number of concurrencies of a sweep of a recipe', {
    defaultText: '8; 6 for decode-itl-curve',
  }),
  'isl-osl-pairs': option(
    'ISL/OSL,...',
    'Lengths of prompts and outputs of pareto-sweep, such as 128/128,512/256',
  ),
  'isl-min': option('TOKENS', 'Shortest prompt of prefill-ttft-curve', { defaultText: '256' }),
  'isl-max': option('TOKENS', 'Longest prompt of prefill-ttft-curve', { defaultText: '32768' }),
  'isl-steps': option('N', 'Number of prompt lengths of prefill-ttft-curve', { defaultText: '8' }),
  'osl-min': option('TOKENS', 'Shortest output of decode-itl-curve', { defaultText: '64' }),
  'osl-max': option('TOKENS', 'Longest output of decode-itl-curve', { defaultText: '1024' }),
  'osl-steps': option('N', 'Number of output lengths of decode-itl-curve', { defaultText: '4' }),
  'degradation-threshold': option('RATIO', 'Increase of the latency that concurrency-ramp looks for', {
    defaultText: '0.2',
  }),
  'degradation-metric-tag': option('METRIC', 'Metric of concurrency-ramp', {
    defaultText: 'request_latency',
  }),
  'degradation-stat': option('STATISTIC', 'Statistic of concurrency-ramp', {
    choices: ['avg', 'p50', 'p90', 'p95', 'p99'],
    defaultText: 'p99',
  }),
};
