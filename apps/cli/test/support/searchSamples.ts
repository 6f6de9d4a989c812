import type { OptionSamples } from './optionSamples.ts';

/** Options of searches. */
export const SEARCH_SAMPLES: OptionSamples = {
  'search-recipe': { words: '--search-recipe concurrency-ramp' },
  'search-sla': {
    words: '--search-sla request_error_rate:avg:lt:5',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'search-sla-tier': {
    words: '--search-sla-tier request_latency:avg:lt:5 --search-sla-tier slow:request_latency:avg:lt:9',
    requires: '--search-space concurrency:1,9',
  },
  'search-space': { words: '--search-space concurrency:1,9 --search-metric request_latency' },
  'search-metric': { words: '--search-metric request_throughput --search-space concurrency:1,9' },
  'search-stat': {
    words: '--search-stat p50',
    requires: '--search-space concurrency:1,9 --search-metric request_latency',
  },
  'search-direction': {
    words: '--search-direction minimize',
    requires: '--search-space concurrency:1,9 --search-metric request_latency',
  },
  'search-max-iterations': {
    words: '--search-max-iterations 9',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'search-initial-points': {
    words: '--search-initial-points 4',
    requires: '--search-space concurrency:1,9 --search-metric request_latency',
  },
  'search-random-seed': {
    words: '--search-random-seed 9',
    requires: '--search-space concurrency:1,9 --search-metric request_latency',
  },
  'search-planner': {
    words: '--search-planner isotonic',
    requires:
      '--search-space concurrency:1,9 --search-metric request_latency --search-sla request_error_rate:avg:lt:5 --search-planner latin_hypercube',
  },
  'search-style': {
    words: '--search-style grid',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'search-precision': {
    words: '--search-precision 0.2',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'search-replicates': {
    words: '--search-replicates 2',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'ttft-sla-ms': {
    words: '--ttft-sla-ms 200',
    requires: '--streaming --search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'itl-sla-ms': {
    words: '--itl-sla-ms 20',
    requires: '--streaming --search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'e2e-sla-ms': {
    words: '--e2e-sla-ms 5000',
    requires: '--search-recipe max-concurrency-under-sla --error-rate-sla 0.1',
  },
  'error-rate-sla': {
    words: '--error-rate-sla 0.1',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'slo-attainment-fraction': {
    words: '--slo-attainment-fraction 0.5',
    requires:
      '--streaming --search-recipe max-goodput-under-slo --ttft-sla-ms 200 --itl-sla-ms 20 --e2e-sla-ms 5000',
  },
  'concurrency-min': {
    words: '--concurrency-min 3',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'concurrency-max': {
    words: '--concurrency-max 30',
    requires: '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000',
  },
  'concurrency-steps': { words: '--concurrency-steps 3', requires: '--search-recipe concurrency-ramp' },
  'isl-osl-pairs': { words: '--isl-osl-pairs 5/2,6/3', requires: '--streaming --search-recipe pareto-sweep' },
  'isl-min': { words: '--isl-min 20', requires: '--streaming --search-recipe prefill-ttft-curve' },
  'isl-max': { words: '--isl-max 900', requires: '--streaming --search-recipe prefill-ttft-curve' },
  'isl-steps': { words: '--isl-steps 3', requires: '--streaming --search-recipe prefill-ttft-curve' },
  'osl-min': { words: '--osl-min 20', requires: '--streaming --search-recipe decode-itl-curve' },
  'osl-max': { words: '--osl-max 900', requires: '--streaming --search-recipe decode-itl-curve' },
  'osl-steps': { words: '--osl-steps 3', requires: '--streaming --search-recipe decode-itl-curve' },
  'degradation-threshold': {
    words: '--degradation-threshold 0.5',
    requires: '--search-recipe concurrency-ramp',
  },
  'degradation-metric-tag': {
    words: '--degradation-metric-tag inter_token_latency',
    requires: '--search-recipe concurrency-ramp',
  },
  'degradation-stat': { words: '--degradation-stat p90', requires: '--search-recipe concurrency-ramp' },
};
