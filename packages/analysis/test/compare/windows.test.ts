import { expect, test } from 'vitest';
import { describeWindowDifference } from '../../src/compare/windows.ts';
import { compareRuns, createRun, type Run } from '../../src/index.ts';
import { createDocument, createMetric, healthyInfo, SECOND_NS, START_NS, URL_A } from '../documents.ts';
import { createTokens } from './runs.ts';

interface Options {
  readonly config?: object;
  /** The duration that the client reports, in seconds. */
  readonly load?: number;
  readonly seconds?: number;
  readonly summary?: object;
}

function createWindowRun({ config = {}, load, seconds = 20, summary = {} }: Options): Run {
  const view = createDocument(
    { 'vllm:generation_tokens': createMetric('counter', [createTokens(1000)]) },
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
    { ...profiled, summary: { profiling_start_ns: undefined } },
    'server metrics cover the profiling phase in base and the scrapes of another tool in new',
  ],
  [
    'idle time in one of the periods',
    { config: { command: ['x'] }, load: 30, seconds: 48 },
    { config: { command: ['x'] }, load: 30, seconds: 30 },
    'requests were in flight for 63% of the period of the server metrics in base and 100% in new',
  ],
  ['nothing if the configurations are unknown', {}, {}, undefined],
])('describes %s', (_, base, other, expected) => {
  expect(describeWindowDifference([createWindowRun(base)], [createWindowRun(other)])).toBe(expected);
});

test('does not test rates of servers over different periods', () => {
  const [base, other] = [profiled, { config: { command: ['x'] } }].map(createWindowRun);
  const { rows, notes } = compareRuns([base!], [other!]);
  expect(notes[0]).toMatch(/rates of servers are not compared$/);
  expect(rows[0]).toMatchObject({ verdict: 'untested', reason: 'rates of different periods' });
});
