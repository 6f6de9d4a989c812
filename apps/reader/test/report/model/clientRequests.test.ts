import { afterAll, expect, test } from 'vitest';
import { createTempFolder, START_NS } from '../../../../../packages/analysis/test/documents.ts';
import { describeSelection } from '../../../src/report/html/requestSection.ts';
import { buildClientCharts } from '../../../src/report/model/clientCharts.ts';
import { createRequestChart } from '../../../src/report/model/requestChart.ts';
import { buildRequestDots, type RequestDots } from '../../../src/report/model/requestDots.ts';
import { ReadIssues } from '../../../src/report/readIssues.ts';
import { type ClientRequests, readClientRequests } from '../../../src/report/timeline/clientRequests.ts';
import type { TimeChart } from '../../../src/svg/timeChartModel.ts';
import { writeTestFile } from '../../support/runReader.ts';

const { path: folder, remove } = createTempFolder('requests');
afterAll(remove);

const AXES = { startNs: START_NS, axis: { bins: 3, width: 2 }, sliceAxis: { bins: 3, width: 2 } };

/** Formats a line of profile_export.jsonl for a request between two times in seconds after the start. */
function formatLine(
  from: number,
  to: number,
  metrics: object,
  options: { error?: object; phase?: string } = {},
): string {
  const formatNs = (seconds: number): string => String(START_NS + BigInt(Math.round(seconds * 1e9)));
  const metadata =
    `{"session_num":0,"request_start_ns":${formatNs(from)},"request_end_ns":${formatNs(to)},` +
    `"benchmark_phase":"${options.phase ?? 'profiling'}","was_cancelled":false}`;
  return `{"metadata":${metadata},"metrics":${JSON.stringify(metrics)},"error":${JSON.stringify(options.error ?? null)}}\n`;
}

function read(content: string, issues = new ReadIssues()): Promise<ClientRequests | undefined> {
  return readClientRequests(writeTestFile(folder, 'profile_export.jsonl', content), AXES, issues);
}

/** Lists the dots of a chart of requests. */
function listPoints(dots: RequestDots): readonly unknown[] {
  return listDots(createRequestChart(dots));
}

function listDots({ layers }: TimeChart): readonly unknown[] {
  return layers.flatMap(layer => ('points' in layer ? layer.points : []));
}

const ms = (value: number): object => ({ value, unit: 'ms' });
const FAILED = { error: { code: 500, type: 'HttpError', message: 'no' } };

test('places requests at their times', async () => {
  const metrics = {
    time_to_first_token: ms(1000),
    request_latency: { value: 4, unit: 'sec' },
    inter_token_latency: ms(50),
    output_sequence_length: { value: 30, unit: 'tokens' },
  };
  const requests = (await read(formatLine(0, 4, metrics) + formatLine(2, 3, {}, FAILED)))!;
  expect(requests.sent).toEqual([0.5, 0.5, 0]);
  expect(requests.completed).toEqual([0, 0, 0.5]);
  expect(requests.failed).toEqual([0, 0.5, 0]);
  expect(requests.goodPercent).toEqual([null, 0, 100]);
  expect(requests.inFlight).toEqual([1, 1.5, 0]);
  expect(requests.outputTokens).toEqual([5, 10, 0]);
  expect(requests.listLatencies('firstToken').map(list => [...list])).toEqual([[1000], [], []]);
  expect(requests.listLatencies('latency').map(list => [...list])).toEqual([[], [], [4000]]);
  expect(requests.outcomes).toEqual({ ok: 1, late: 0, failed: 1, cancelled: 0 });
});

test('leaves out the requests of the warm-up', async () => {
  const profiling = formatLine(2, 4, { request_latency: ms(2000) });
  const warmup = formatLine(0, 3.5, { request_latency: ms(3500) }, { phase: 'warmup' });
  const [alone, both] = [await read(profiling), await read(warmup + profiling)];
  expect(both!.count).toBe(1);
  expect(both!.completed).toEqual(alone!.completed);
});

test('has no values before the first request, because warm-up requests are left out', async () => {
  expect((await read(formatLine(2, 4, {})))!.inFlight).toEqual([null, 1, 0]);
});

test('is undefined without requests', async () => {
  expect(await read('')).toBeUndefined();
});

test('skips and reports a broken line', async () => {
  const issues = new ReadIssues();
  const requests = await read(`${formatLine(0, 4, {})}{"metadata": 1}\nno JSON\n`, issues);
  expect(requests!.completed).toEqual([0, 0, 0.5]);
  expect(issues.notes).toEqual([
    expect.stringMatching(/jsonl was not read completely: line 2.*and \d+ more/),
  ]);
});

test('draws percentiles of the requests in each slice, the load behind them, and a limit', async () => {
  const values = Array.from({ length: 101 }, (_, i) => i);
  const requests = (await read(values.map(i => formatLine(0, 1, { time_to_first_token: ms(i) })).join('')))!;
  const limits = new Map([['time_to_first_token', 80]]);
  const charts = buildClientCharts(requests, { rate: 50, limits, models: [], description: '' });
  const chart = charts.find(({ id }) => id === 'client-ttft')!;
  expect(chart.title).toBe('Time to first token, ms');
  expect(chart.layers[0]).toMatchObject({ form: 'band', low: [50, null, null], high: [90, null, null] });
  expect(chart.layers[2]).toMatchObject({ name: 'p99', isDashed: true, values: [99, null, null] });
  expect(chart.limits).toEqual([{ value: 80, name: 'limit 80 ms' }]);
  expect(chart.load!.name).toBe('in flight');
  expect(charts[0]!.limits).toEqual([{ value: 50, name: 'target 50/s' }]);
});

test('shows at most 1,000 of many requests, among them the slowest, slowest first', async () => {
  const count = 9000;
  const lines = Array.from({ length: count }, (_, i) =>
    formatLine(i / 2000, i / 2000 + 0.1, { request_latency: ms((i * 7919) % count) }),
  );
  const dots = buildRequestDots((await read(lines.join('')))!);
  expect(dots.count).toBe(count);
  expect(dots.rows.length).toBeLessThanOrEqual(1000);
  expect(dots.rows.length).toBeGreaterThan(500);
  expect(dots.rows.slice(0, 100).map(({ latency }) => latency)).toEqual(
    Array.from({ length: 100 }, (_, i) => count - 1 - i),
  );
  expect(listPoints(dots)).toHaveLength(dots.rows.length);
});

test('finds the request of each dot, and its record in the export', async () => {
  const lines = [
    formatLine(0, 1, {}, { phase: 'warmup' }),
    formatLine(0, 1, { time_to_first_token: ms(30), request_latency: ms(700) }),
    formatLine(1, 2, { time_to_first_token: ms(20), request_latency: ms(900) }),
  ];
  const requests = (await read(lines.join('')))!;
  const dots = buildRequestDots(requests);
  expect(dots.rows.map(({ record, latency }) => [record, latency])).toEqual([
    [3, 900],
    [2, 700],
  ]);
  const [, ttft] = buildClientCharts(requests, { limits: new Map(), description: '', models: [] });
  for (const [, value, row] of [...listPoints(dots), ...listDots(ttft!)] as readonly (readonly number[])[])
    expect(dots.rows[row!]!.firstToken).toBe(value);
});

test('does not draw failed requests without a first token as if they had one', async () => {
  const lines = [
    formatLine(0, 1, { time_to_first_token: ms(20), request_latency: ms(900) }),
    formatLine(1, 1.5, {}, { error: { type: 'ConnectError' } }),
  ];
  const dots = buildRequestDots((await read(lines.join('')))!);
  expect(dots).toMatchObject({ count: 2, missing: 1, missingFailed: 1 });
  expect(listPoints(dots)).toEqual([[0, 20, 0]]);
  expect(describeSelection(dots)).toBe(
    'Each dot is one of 1 requests. 1 failed request without a first token is not drawn.',
  );
});

test('separates requests that missed a limit, failed, or were cancelled', async () => {
  const good = (value: number): object => ({
    request_latency: ms(1),
    good_request_count: { value, unit: 'requests' },
  });
  const cancelled = formatLine(0, 1, {}).replace('"was_cancelled":false', '"was_cancelled":true');
  const content =
    formatLine(0, 1, good(1)) + formatLine(0, 1, good(0)) + formatLine(0, 1, {}, FAILED) + cancelled;
  expect((await read(content))!.outcomes).toEqual({ ok: 1, late: 1, failed: 1, cancelled: 1 });
});
