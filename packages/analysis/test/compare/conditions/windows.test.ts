import { expect, test } from 'vitest';
import { describeWindowDifference } from '../../../src/compare/conditions/windows.ts';
import { compareRuns, createRun, type Run } from '../../../src/index.ts';
import {
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
} from '../../documents.ts';
import { createTokens, varySlices } from '../runs.ts';

interface Options {
  readonly config?: object;
  /** The duration that the client reports, in seconds. */
  readonly load?: number;
  readonly seconds?: number;
  readonly summary?: object;
  /** The factor of all metrics. */
  readonly factor?: number;
}

function createWindowRun({ config = {}, load, seconds = 20, summary = {}, factor = 1 }: Options): Run {
  const view = createDocument(
    {
      'vllm:generation_tokens': createMetric('counter', [createTokens(1000 * factor)]),
      'vllm:num_requests_running': createMetric('gauge', [
        createGauge(5, { slices: varySlices(5 * factor) }),
      ]),
      'vllm:cache_blocks': createMetric('gauge', [
        createGauge(100 * factor, { slices: varySlices(100 * factor, 0) }),
      ]),
    },
    { [URL_A]: healthyInfo },
    { profiling_end_ns: START_NS + BigInt(seconds) * SECOND_NS, ...summary },
  );
  return createRun({
    name: '',
    layout: 'json',
    files: {},
    view: { ...view, input_config: config } as typeof view,
    ...(load !== undefined && {
      clientMetrics: new Map([['benchmark_duration', { unit: 'sec', avg: load }]]) as never,
    }),
  });
}

const profiled = { config: { phases: {} } };

test.each<[string, Options, Options, string | undefined]>([
  ['nothing for equal periods', { ...profiled, load: 20 }, { ...profiled, load: 19.5 }, undefined],
  [
    'a command, whose start is included',
    profiled,
    { config: { command: ['aiperf'] } },
    'server metrics cover the profiling phase in base and the run time of a command in new',
  ],
  [
    'the period of another tool',
    profiled,
    { ...profiled, summary: { statistics_window: 'aiperf' } },
    'server metrics cover the profiling phase in base and the scrapes of another tool in new',
  ],
  [
    'idle time in one of the periods',
    { config: { command: ['x'] }, load: 30, seconds: 48 },
    { config: { command: ['x'] }, load: 30, seconds: 30 },
    'requests were in flight for 63% of the period of the server metrics in base and 100% in new',
  ],
  [
    'nothing if the window of a period is unknown',
    profiled,
    { ...profiled, summary: { profiling_start_ns: undefined } },
    undefined,
  ],
  ['nothing if the configurations are unknown', {}, {}, undefined],
])('describes %s', (_, base, other, expected) => {
  expect(describeWindowDifference([createWindowRun(base)], [createWindowRun(other)])).toBe(expected);
});

test('does not test rates and gauges of servers over different periods', () => {
  const [base, other] = [profiled, { config: { command: ['x'] }, factor: 2 }].map(createWindowRun);
  const { rows, notes } = compareRuns([base!], [other!]);
  expect(notes[0]).toMatch(/rates and gauges of servers are not compared$/);
  expect(rows.map(({ name, verdict, reason }) => [name, verdict, reason])).toEqual([
    ['vllm:cache_blocks', 'changed', null],
    ['vllm:generation_tokens', 'untested', 'rates and means over different periods'],
    ['vllm:num_requests_running', 'untested', 'rates and means over different periods'],
  ]);
});
