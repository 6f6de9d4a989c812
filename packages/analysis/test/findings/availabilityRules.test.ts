import { describe, expect, test } from 'vitest';
import { LOAD_RULES } from '../../src/findings/loadRules.ts';
import {
  createCounter,
  createGauge,
  createMetric,
  createSlices,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../documents.ts';
import { createGauges, findById, findIn } from './runs.ts';

const at = (seconds: number): bigint => START_NS + (BigInt(Math.round(1000 * seconds)) * SECOND_NS) / 1000n;

/** An endpoint whose server was killed after 7 s of 20 s. */
const deadInfo = {
  ...healthyInfo,
  status: 'failing',
  total_fetches: 21,
  last_fetch_ns: at(7),
  last_failure_ns: at(20),
  last_error: 'refused the connection',
  scrapes_failed: 39,
  outages: [{ start_ns: at(8), scrapes: 39, reason: 'refused', message: 'refused the connection' }],
};

/** An endpoint whose server was killed after 7 s and responded again after 10 s. */
const restartedInfo = {
  ...healthyInfo,
  outages: [
    { start_ns: at(8), end_ns: at(10), scrapes: 6, reason: 'refused', message: 'refused the connection' },
  ],
  resets: [{ previous_ns: at(7), at_ns: at(10), counters: 30 }],
};

/** An endpoint behind a load balancer: its two replicas respond in turn. */
const mixedInfo = {
  ...healthyInfo,
  resets: Array.from({ length: 10 }, (_, i) => ({
    previous_ns: at(2 * i),
    at_ns: at(2 * i + 1),
    counters: 30,
  })),
  total_fetches: 20,
};

/** Metrics with every kind of advice on the load. */
const LOADS = {
  idle: {
    ...createGauges({ 'vllm:num_requests_running': createGauge(0) }),
    'vllm:generation_tokens': createMetric('counter', [createCounter(0)]),
  },
  small: createGauges({
    'vllm:num_requests_running': createGauge(1),
    'vllm:num_requests_waiting': createGauge(0),
  }),
  queued: createGauges({
    'vllm:num_requests_running': createGauge(4),
    'vllm:num_requests_waiting': createGauge(20, { slices: [1, 1, 20, 20, 60, 60] }),
  }),
};

const LOAD_ADVICE = LOAD_RULES.map(({ id }) => id);

test('a server that dies is the first finding, with the time that its values cover', () => {
  const [first] = findIn(LOADS.queued, { [URL_A]: deadInfo });
  expect(first).toMatchObject({ id: 'dead-server', severity: 'problem' });
  expect(first!.evidence).toEqual([
    {
      endpoint: 'localhost:8000',
      text: 'localhost:8000 stopped responding after 7 s and did not recover (values cover 7 s of 20 s): refused the connection',
      numbers: { seconds: 7, failed: 39 },
      magnitude: -7,
    },
  ]);
});

test('a server that restarts is the first finding, with the time without data', () => {
  const [first] = findIn(LOADS.queued, { [URL_A]: restartedInfo });
  expect(first).toMatchObject({ id: 'restarted-server', severity: 'problem' });
  expect(first!.evidence[0]!.text).toBe(
    'localhost:8000 stopped responding after 7 s and restarted; no data for 3 s',
  );
});

test('a restart between two scrapes is reported without a time without data', () => {
  const info = {
    ...healthyInfo,
    resets: [{ previous_ns: at(7), at_ns: at(7) + 333_000_000n, counters: 30, process_restarted: true }],
  };
  const [first] = findIn(LOADS.queued, { [URL_A]: info });
  expect(first!.evidence[0]!.text).toBe('localhost:8000 restarted after 7 s');
});

test('an endpoint that mixes servers is the first finding, and not a server that restarts', () => {
  const reset = createCounter(9000, { stats: { resets: 10, increase: 9000, increase_rate: 450 } });
  const decreasing = createCounter(0, { stats: { decreases: 10 } });
  const findings = findIn(
    { ...LOADS.queued, tokens: createMetric('counter', [reset, decreasing]) },
    { [URL_A]: mixedInfo },
  );
  expect(findings[0]).toMatchObject({ id: 'mixed-processes', severity: 'problem' });
  expect(findings[0]!.evidence[0]!.text).toBe(
    'the counters of localhost:8000 fell at least 10 times, although it responded to the scrapes',
  );
  const ids = findings.map(({ id }) => id);
  expect(ids).not.toContain('restarted-server');
  expect(ids).not.toContain('counter-resets');
  expect(ids).not.toContain('gauge-like-counter');
});

test.each(Object.entries(LOADS))(
  'gives no advice on the load (%s) of a server that died or restarted, or of several servers',
  (_, metrics) => {
    const listIds = (infos: object): string[] =>
      findIn(metrics, infos as Record<string, object>)
        .map(({ id }) => id)
        .filter(id => LOAD_ADVICE.includes(id));
    expect(listIds({ [URL_A]: healthyInfo })).not.toEqual([]);
    expect(listIds({ [URL_A]: deadInfo })).toEqual([]);
    expect(listIds({ [URL_A]: restartedInfo })).toEqual([]);
    expect(listIds({ [URL_A]: mixedInfo })).toEqual([]);
    // The healthy server takes over the load of the dead one, but an endpoint without server metrics does not matter.
    expect(listIds({ [URL_A]: healthyInfo, [URL_B]: deadInfo })).not.toEqual([]);
  },
);

test.each([
  ['reports the overload', 'queued', ['growing-queue']],
  ['says nothing about room for more load', 'small', []],
] as const)('of a server that died just before the end, %s', (_, load, expected) => {
  const info = {
    ...deadInfo,
    total_fetches: 58,
    last_fetch_ns: at(19.5),
    scrapes_failed: 2,
    outages: [{ start_ns: at(19.8), scrapes: 2, reason: 'refused', message: 'refused the connection' }],
  };
  const ids = findIn(LOADS[load], { [URL_A]: info }).map(({ id }) => id);
  expect(ids[0]).toBe('dead-server');
  expect(ids.filter(id => LOAD_ADVICE.includes(id))).toEqual(expected);
});

test('does not report the failed scrapes of a dead server a second time', () => {
  const ids = findIn(LOADS.idle, { [URL_A]: deadInfo }).map(({ id }) => id);
  expect(ids).toContain('dead-server');
  expect(ids).not.toContain('failed-scrapes');
});

test('reports an endpoint that joined late, and the time that its values cover', () => {
  const finding = findById(
    'late-endpoint',
    {},
    { [URL_A]: healthyInfo, [URL_B]: { ...healthyInfo, first_fetch_ns: at(12) } },
  );
  expect(finding!.evidence).toMatchObject([
    { endpoint: 'down:1', text: 'down:1 returned its first metrics after 12 s (values cover 8 s of 20 s)' },
  ]);
  expect(
    findById('late-endpoint', {}, { [URL_A]: { ...healthyInfo, first_fetch_ns: at(1) } }),
  ).toBeUndefined();
});

test('does not take the time between two scrapes for an outage', () => {
  const scraped = { ...healthyInfo, median_update_interval_ms: 5000, total_fetches: 4 };
  const infos = (info: object) => ({ [URL_A]: scraped, [URL_B]: { ...scraped, ...info } });
  for (const info of [{ first_fetch_ns: at(5) }, { last_fetch_ns: at(15) }])
    for (const id of ['late-endpoint', 'late-last-sample'])
      expect(findById(id, {}, infos(info))).toBeUndefined();
  expect(findById('late-endpoint', {}, infos({ first_fetch_ns: at(8) }))).toBeDefined();
  const resets = [{ previous_ns: at(5), at_ns: at(10), counters: 30, process_restarted: true }];
  expect(findById('restarted-server', {}, infos({ resets }))!.evidence[0]!.text).toBe(
    'down:1 restarted after 5 s',
  );
});

test('reports a slow endpoint whose values end before the end of profiling', () => {
  const finding = findById('late-last-sample', {}, { [URL_A]: { ...healthyInfo, last_fetch_ns: at(14) } });
  expect(finding!.evidence[0]!.text).toBe(
    'the last sample of localhost:8000 is from 6 s before the end of profiling (20 s)',
  );
  for (const info of [deadInfo, healthyInfo])
    expect(findById('late-last-sample', {}, { [URL_A]: info })).toBeUndefined();
});

test('reports the workers that a router registered and removed, with the time', () => {
  const createWorker = (id: string, registered: readonly (number | null)[]): object => ({
    endpoint_url: URL_A,
    labels: { router_worker_id: id, worker_id: 'f00', worker_type: 'decode' },
    stats: {},
    timeslices: createSlices(registered.map(avg => ({ avg, min: avg, max: avg }))).filter(
      ({ avg }) => avg !== null,
    ),
  });
  const metrics = {
    dynamo_component_router_worker_registered: createMetric('gauge', [
      createWorker('1', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
      createWorker('2', [1, 1, 1, null, null, null, null, null, null, null]),
      createWorker('3', [null, null, null, null, 1, 1, 1, 1, 1, 1]),
      createWorker('4', [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]),
    ]),
  };
  expect(findById('worker-changes', metrics)!.evidence.map(({ text }) => text)).toEqual([
    'the router removed decode worker 2 after 6 s',
    'the router removed decode worker 4 after 8 s',
    'the router registered decode worker 3 after 8 s',
  ]);
});

test('reports a server that responds with errors instead of metrics', () => {
  const outages = [
    { start_ns: at(8), scrapes: 39, reason: 'server_error', message: 'responded with HTTP status 500' },
  ];
  const [first] = findIn(LOADS.idle, {
    [URL_A]: { ...deadInfo, outages, last_error: 'responded with HTTP status 500' },
  });
  expect(first!.evidence[0]!.text).toMatch(
    /^localhost:8000 stopped returning metrics after 7 s and did not recover/,
  );
});

test('does not count failures before the first success as failed scrapes', () => {
  const outage = {
    start_ns: at(0),
    end_ns: at(12),
    scrapes: 9,
    reason: 'refused',
    message: 'refused the connection',
  };
  const late = { ...healthyInfo, first_fetch_ns: at(12), scrapes_failed: 9, outages: [outage] };
  expect(findById('failed-scrapes', {}, { [URL_A]: late })).toBeUndefined();
  expect(
    findById('failed-scrapes', {}, { [URL_A]: { ...late, scrapes_failed: 14 } })!.evidence[0]!.text,
  ).toMatch(/^5 of 65 \(7\.69%\) failed/);
});

test('reports the resets of a restarted server only once', () => {
  const metrics = {
    'vllm:generation_tokens': createMetric('counter', [
      createCounter(5, { stats: { resets: 1, increase: 9 } }),
    ]),
  };
  expect(findById('counter-resets', metrics, { [URL_A]: healthyInfo })).toBeDefined();
  expect(findById('counter-resets', metrics, { [URL_A]: restartedInfo })).toBeUndefined();
});

test('adds the queues of workers by time, so that a worker that joins late does not hide that the queue grew', () => {
  const values = [0, 0, 0, 0, 10, 10, 10, 30, 30, 30];
  const late = createGauge(20, { url: URL_B, slices: values }) as { timeslices: object[] };
  late.timeslices.splice(0, 4);
  const early = createGauge(1, { slices: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] });
  const metrics = {
    ...createGauges({ 'vllm:num_requests_running': createGauge(4) }),
    'vllm:num_requests_waiting': createMetric('gauge', [early, late]),
  };
  const finding = findById('growing-queue', metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo });
  expect(finding!.evidence[0]!.numbers).toMatchObject({ first: 1, last: 31 });
});

test('does not report workers as removed if scrapes continue after profiling', () => {
  const metrics = {
    dynamo_component_router_worker_registered: createMetric('gauge', [
      createGauge(1, { labels: { router_worker_id: '1' }, slices: Array(10).fill(1) }),
    ]),
  };
  const infos = { [URL_A]: { ...healthyInfo, last_fetch_ns: at(24) } };
  expect(findById('worker-changes', metrics, infos)).toBeUndefined();
});

describe('gaps between samples', () => {
  const gap = (from: number, to: number): object => ({ start_ns: at(from), end_ns: at(to) });
  const findGaps = (info: object): string[] =>
    findById('missing-samples', {}, { [URL_A]: { ...healthyInfo, ...info } })?.evidence.map(
      ({ text }) => text,
    ) ?? [];

  test.each<[string, object, string[]]>([
    [
      'are reported with their time, the longest first',
      { gaps: [gap(2, 4.5), gap(6, 16)] },
      ['localhost:8000 returned no metrics for 10 s (6 s to 16 s), and for 2.5 s in 1 other gap'],
    ],
    ['outside of an exported window are not reported', { gaps: [gap(21, 25), gap(-9, -3)] }, []],
    [
      'are not reported a second time if scrapes failed',
      {
        gaps: [gap(6, 16)],
        outages: [{ start_ns: at(7), end_ns: at(16), scrapes: 3, reason: 'timeout', message: 'timed out' }],
      },
      [],
    ],
    [
      'are not reported a second time if the server restarted',
      {
        gaps: [gap(6, 16)],
        resets: [{ previous_ns: at(6), at_ns: at(16), counters: 3, process_restarted: true }],
      },
      [],
    ],
  ])('%s', (_, info, expected) => {
    expect(findGaps(info)).toEqual(expected);
  });
});

describe('endpoints that come and go', () => {
  const removedInfo = { ...deadInfo, status: 'removed', removed_ns: at(9) };
  const addedInfo = { ...healthyInfo, first_fetch_ns: at(8), added_ns: at(7.8) };
  const findings = (infos: Readonly<Record<string, object>>) =>
    ['dead-server', 'late-endpoint', 'late-last-sample', 'missing-samples', 'endpoint-changes'].filter(
      id => findById(id, createGauges({}), infos) !== undefined,
    );

  test.each<[string, object, readonly string[]]>([
    ['a removed endpoint is not dead', removedInfo, ['endpoint-changes']],
    ['an added endpoint is not late', addedInfo, ['endpoint-changes']],
    [
      'an endpoint that was removed after profiling is not mentioned',
      { ...healthyInfo, removed_ns: at(21) },
      [],
    ],
    [
      'an absence explains missing samples',
      {
        ...healthyInfo,
        gaps: [{ start_ns: at(4), end_ns: at(9) }],
        absences: [{ start_ns: at(4.1), end_ns: at(8.9) }],
      },
      [],
    ],
  ])('%s', (_, info, expected) => {
    expect(findings({ [URL_A]: info })).toEqual(expected);
  });
});
