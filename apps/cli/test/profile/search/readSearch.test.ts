import type { ParameterValue } from '@org/record';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../../src/commands/profile.ts';
import { type ProfileRuns, readProfileRuns } from '../../../src/profile/profileRuns.ts';
import { createIo } from '../../support/io.ts';
import { splitWords } from '../../support/options.ts';
import { makeSuiteFolder } from '../../support/temporaryFolder.ts';

const io = createIo(makeSuiteFolder());

function read(line: string): ProfileRuns {
  const raw = parseCommandLine(profileCommand, splitWords(`--model m --random-seed 7 ${line}`), '');
  return readProfileRuns(raw, io)!;
}

const readPlan = (line: string) => read(line).runs.search!;
const readRules = (line: string): string[] => readPlan(line).limits.map(({ rule }) => rule);
const readFirst = (line: string) => read(line).options[0]!.plan;
const readValues = (line: string, parameter: string): readonly ParameterValue[] | undefined =>
  read(line).runs.parameters.find(({ name }) => name === parameter)?.values;
const readDistinct = (line: string, path: string): ParameterValue[] => [
  ...new Set(read(line).runs.variations.map(({ values }) => values[path]!)),
];

const RECIPE = '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000';
const SPACE = '--search-space concurrency:1,9 --search-metric request_latency';
const RAMP = '--search-recipe concurrency-ramp';
const PREFILL = '--streaming --search-recipe prefill-ttft-curve';
const DECODE = '--streaming --search-recipe decode-itl-curve';
const GOODPUT =
  '--streaming --search-recipe max-goodput-under-slo --ttft-sla-ms 200 --itl-sla-ms 20 --e2e-sla-ms 5000';
const ISL = 'datasets.main.prompts.isl.mean';
const OSL = 'datasets.main.prompts.osl.mean';

interface Effect {
  readonly option: string;
  readonly requires: string;
  readonly observe: (line: string) => unknown;
  readonly without: unknown;
  readonly with: unknown;
}

test.each<Effect>([
  {
    option: '--search-recipe concurrency-ramp',
    requires: '',
    observe: line => (read(line) as ProfileRuns | undefined)?.runs.recipe?.kind,
    without: undefined,
    with: 'degradation_knee',
  },
  {
    option: '--search-sla request_error_rate:avg:le:5',
    requires: RECIPE,
    observe: readRules,
    without: ['request_latency.p99 < 5000'],
    with: ['request_latency.p99 < 5000', 'request_error_rate.avg <= 5'],
  },
  {
    option:
      '--search-sla-tier request_latency:avg:lt:5 --search-sla-tier slow:request_latency:avg:lt:9,request_latency:p99:le:20',
    requires: '--search-space concurrency:1,9 --search-sla request_error_rate:avg:lt:5',
    observe: line => [
      readRules(line),
      readPlan(line).tiers?.map(({ label, limits }) => [label, limits.map(({ rule }) => rule)]),
    ],
    without: [['request_error_rate.avg < 5'], undefined],
    with: [
      [
        'request_error_rate.avg < 5',
        'request_latency.avg < 5',
        'request_latency.avg < 9',
        'request_latency.p99 <= 20',
      ],
      [
        ['tier_1', ['request_latency.avg < 5', 'request_error_rate.avg < 5']],
        ['slow', ['request_latency.avg < 9', 'request_latency.p99 <= 20', 'request_error_rate.avg < 5']],
      ],
    ],
  },
  {
    option: '--search-space phases.profiling.concurrency:2,9',
    requires: '--search-metric request_latency',
    observe: line => (line.includes('space') ? readPlan(line).dimensions[0] : undefined),
    without: undefined,
    with: {
      label: 'concurrency',
      name: 'concurrency',
      path: 'phases.profiling.concurrency',
      low: 2,
      high: 9,
      isInteger: true,
    },
  },
  {
    option: '--search-metric request_latency',
    requires: '--search-space concurrency:1,9 --search-sla request_error_rate:avg:lt:5',
    observe: line => readPlan(line).objective?.metric,
    without: undefined,
    with: 'request_latency',
  },
  {
    option: '--search-stat p50',
    requires: SPACE,
    observe: line => readPlan(line).objective!.stat,
    without: 'avg',
    with: 'p50',
  },
  {
    option: '--search-direction minimize',
    requires: SPACE,
    observe: line => readPlan(line).objective!.direction,
    without: 'maximize',
    with: 'minimize',
  },
  {
    option: '--search-max-iterations 9',
    requires: RECIPE,
    observe: line => readPlan(line).maxIterations,
    without: 30,
    with: 9,
  },
  {
    option: '--search-initial-points 4',
    requires: SPACE,
    observe: line => readPlan(line).initialPoints,
    without: 5,
    with: 4,
  },
  {
    option: '--search-random-seed 9',
    requires: SPACE,
    observe: line => readPlan(line).seed,
    without: 7,
    with: 9,
  },
  {
    option: '--search-planner bayesian',
    requires: `${SPACE} --search-sla request_error_rate:avg:lt:5`,
    observe: line => readPlan(line).planner,
    without: 'isotonic',
    with: 'latin_hypercube',
  },
  {
    option: '--search-style grid',
    requires: RECIPE,
    observe: line => read(line).runs.recipe?.kind,
    without: undefined,
    with: 'sla_breach',
  },
  {
    option: '--search-precision 0.2',
    requires: RECIPE,
    observe: line => readPlan(line).precision,
    without: 0.05,
    with: 0.2,
  },
  {
    option: '--search-replicates 2',
    requires: RECIPE,
    observe: line => readPlan(line).replicates,
    without: 3,
    with: 2,
  },
  {
    option: '--ttft-sla-ms 200',
    requires: `--streaming ${RECIPE}`,
    observe: readRules,
    without: ['request_latency.p99 < 5000'],
    with: ['time_to_first_token.p95 < 200', 'request_latency.p99 < 5000'],
  },
  {
    option: '--itl-sla-ms 20',
    requires: `--streaming ${RECIPE}`,
    observe: readRules,
    without: ['request_latency.p99 < 5000'],
    with: ['inter_token_latency.p95 < 20', 'request_latency.p99 < 5000'],
  },
  {
    option: '--e2e-sla-ms 900',
    requires: '--search-recipe max-concurrency-under-sla --error-rate-sla 0.1',
    observe: readRules,
    without: ['request_error_rate.avg < 10'],
    with: ['request_latency.p99 < 900', 'request_error_rate.avg < 10'],
  },
  {
    option: '--error-rate-sla 0.05',
    requires: RECIPE,
    observe: readRules,
    without: ['request_latency.p99 < 5000'],
    with: ['request_latency.p99 < 5000', 'request_error_rate.avg < 5'],
  },
  {
    option: '--slo-attainment-fraction 0.5',
    requires: GOODPUT,
    observe: readRules,
    without: ['good_request_fraction.avg >= 0.95'],
    with: ['good_request_fraction.avg >= 0.5'],
  },
  {
    option: '--concurrency-min 3',
    requires: RECIPE,
    observe: line => readPlan(line).dimensions[0]!.low,
    without: 1,
    with: 3,
  },
  {
    option: '--concurrency-max 30',
    requires: RECIPE,
    observe: line => readPlan(line).dimensions[0]!.high,
    without: 1000,
    with: 30,
  },
  {
    option: '--concurrency-steps 3',
    requires: RAMP,
    observe: line => readValues(line, 'concurrency'),
    without: [1, 3, 7, 19, 52, 139, 373, 1000],
    with: [1, 32, 1000],
  },
  {
    option: '--isl-osl-pairs 5/2,6/3',
    requires: '--streaming --search-recipe pareto-sweep --isl-osl-pairs 9/9 --concurrency 1,4',
    observe: line =>
      read(line.replace(/--isl-osl-pairs 9\/9(.*--isl-osl-pairs)/, '$1')).runs.variations.map(
        ({ label }) => label,
      ),
    without: ['isl_9__osl_9__concurrency_1', 'isl_9__osl_9__concurrency_4'],
    with: [
      'isl_5__osl_2__concurrency_1',
      'isl_5__osl_2__concurrency_4',
      'isl_6__osl_3__concurrency_1',
      'isl_6__osl_3__concurrency_4',
    ],
  },
  {
    option: '--isl-min 300',
    requires: PREFILL,
    observe: line => readDistinct(line, ISL)[0],
    without: 256,
    with: 300,
  },
  {
    option: '--isl-max 900',
    requires: PREFILL,
    observe: line => readDistinct(line, ISL).at(-1),
    without: 32768,
    with: 900,
  },
  {
    option: '--isl-steps 3',
    requires: PREFILL,
    observe: line => readDistinct(line, ISL).length,
    without: 8,
    with: 3,
  },
  {
    option: '--osl-min 70',
    requires: DECODE,
    observe: line => readDistinct(line, OSL)[0],
    without: 64,
    with: 70,
  },
  {
    option: '--osl-max 900',
    requires: DECODE,
    observe: line => readDistinct(line, OSL).at(-1),
    without: 1024,
    with: 900,
  },
  {
    option: '--osl-steps 2',
    requires: DECODE,
    observe: line => readDistinct(line, OSL).length,
    without: 4,
    with: 2,
  },
  {
    option: '--degradation-threshold 0.5',
    requires: RAMP,
    observe: line => read(line).runs.recipe,
    without: { kind: 'degradation_knee', threshold: 0.2, metric: 'request_latency', stat: 'p99' },
    with: { kind: 'degradation_knee', threshold: 0.5, metric: 'request_latency', stat: 'p99' },
  },
  {
    option: '--degradation-metric-tag inter_token_latency',
    requires: RAMP,
    observe: line => read(line).runs.recipe,
    without: expect.objectContaining({ metric: 'request_latency' }),
    with: expect.objectContaining({ metric: 'inter_token_latency' }),
  },
  {
    option: '--degradation-stat p90',
    requires: RAMP,
    observe: line => read(line).runs.recipe,
    without: expect.objectContaining({ stat: 'p99' }),
    with: expect.objectContaining({ stat: 'p90' }),
  },
])('$option', ({ option, requires, observe, without, with: expected }) => {
  if (option !== '--search-space phases.profiling.concurrency:2,9')
    expect(observe(requires)).toEqual(without);
  expect(observe(`${requires} ${option}`)).toEqual(expected);
});

test('a search sends 1000 requests per run, as AIPerf does, unless an option bounds the runs', () => {
  expect(readFirst(RECIPE).profiling.requestCount).toBe(1000);
  expect(readFirst(`${RECIPE} --request-count 20`).profiling.requestCount).toBe(20);
  expect(readFirst(`${RECIPE} --benchmark-duration 5`).profiling.requestCount).toBeUndefined();
});

test('the runs of a search have the values of their probe', () => {
  const { readVariation } = read(RECIPE);
  const variation = { index: 0, label: '', parameters: {}, values: { 'phases.profiling.concurrency': 12 } };
  expect(readVariation!(variation).plan.profiling.concurrency).toBe(12);
});

test('goodput counts requests within all limits', () => {
  expect(readFirst(GOODPUT).goodput!.map(({ tag }) => tag)).toEqual([
    'time_to_first_token',
    'inter_token_latency',
    'request_latency',
  ]);
});
