import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryPrometheus } from '../../debian/prometheus.ts';
import type { Service } from '../../service.ts';
import { describePeer } from '../support/peer.ts';
import { type PushedRun, pushFinishedRun, pushRun, REDACTED, SECRET } from '../support/pushedRun.ts';
import { startSimulator } from '../support/simulator.ts';
import { listPresentSeries, readSeries, type Samples, startPrometheus3 } from './prometheus.ts';

const OTLP_PATH = '/api/v1/otlp/v1/metrics';

/** Receivers of the same run. */
const RECEIVERS = [
  { name: 'remote write 2.0', protocol: 'remote-write', path: '', version: '2.0', args: [], config: {} },
  {
    name: 'remote write 1.0',
    protocol: 'remote-write',
    path: '',
    version: '1.0',
    args: ['--web.remote-write-receiver.accepted-protobuf-messages=prometheus.WriteRequest'],
    config: {},
  },
  { name: 'OTLP', protocol: 'otlp', path: OTLP_PATH, version: undefined, args: [], config: {} },
  { name: 'OTLP in JSON', protocol: 'otlp-json', path: OTLP_PATH, version: undefined, args: [], config: {} },
  {
    name: 'OTLP with native histograms',
    protocol: 'otlp',
    path: OTLP_PATH,
    version: undefined,
    args: [],
    config: { otlp: { convert_histograms_to_nhcb: true } },
  },
] as const;

type ReceiverName = (typeof RECEIVERS)[number]['name'];

/** The receivers that store classic histograms. */
const CLASSIC = RECEIVERS.map(({ name }) => name).filter(name => name !== 'OTLP with native histograms');

const DURATION = 'gen_ai_client_operation_duration_seconds';

describePeer('prometheus3', 'Values that are pushed to Prometheus 3', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus3-'));
  const services: Service[] = [];
  const urls = new Map<ReceiverName, string>();
  let run: PushedRun;

  beforeAll(async () => {
    for (const [index, { name, args, config }] of RECEIVERS.entries()) {
      const service = await startPrometheus3(peer, join(folder, String(index)), args, config);
      services.push(service);
      urls.set(name, service.url);
    }
    const simulator = await startSimulator();
    services.push(simulator);
    run = await pushRun(simulator.url, join(folder, 'run'), RECEIVERS.map(formatTarget));
  }, 600_000);

  afterAll(async () => {
    await Promise.all(services.map(service => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  const formatTarget = ({ name, protocol, path }: (typeof RECEIVERS)[number]): string =>
    `${protocol}=${urls.get(name)}${path}`;

  /** Reads the samples of the live series, without those of statistics. */
  const readLive = (name: ReceiverName): Promise<ReadonlyMap<string, Samples>> =>
    readSeries(urls.get(name)!, `{run_id="${run.id}",__name__!~"servelens_result_.*"}`);

  /** Reads the last value of each series of an expression, by one of its labels. */
  async function readLast(
    receiver: ReceiverName,
    selector: string,
    label: string,
  ): Promise<Record<string, number>> {
    const expression = `last_over_time(${selector}[1h])`;
    const results = await queryPrometheus(urls.get(receiver)!, expression, Date.now() / 1000);
    return Object.fromEntries(
      results.map(({ metric, samples }) => [metric[label] ?? '', Number(samples[0]![1])]),
    );
  }

  test('the run sent requests, and no value was lost', () => {
    expect(run.requests).toBeGreaterThan(10);
    expect(run.latencies).toHaveLength(run.requests);
    expect(run.receivers).toHaveLength(RECEIVERS.length);
    for (const [index, { protocol, version }] of RECEIVERS.entries())
      expect(run.receivers[index]).toMatchObject({
        protocol,
        ...(version === undefined ? {} : { protocol_version: version }),
        retries: 0,
        lost_values: { queue_full: 0, rejected: 0, undelivered: 0 },
      });
  });

  test.each(RECEIVERS)('$name: counters and tokens are those of the export', async ({ name }) => {
    const requests = await readLast(name, 'servelens_client_requests_total{phase="profiling"}', 'outcome');
    expect(requests).toMatchObject({ succeeded: run.requests, failed: 0 });
    if (name === 'OTLP with native histograms') return;
    const tokens = await readLast(
      name,
      'gen_ai_client_token_usage_sum{phase="profiling"}',
      'gen_ai_token_type',
    );
    expect(tokens).toEqual(run.tokens);
  });

  test.each(CLASSIC)('%s: the buckets of histograms are those of the requests', async name => {
    const buckets = await readLast(name, `${DURATION}_bucket{phase="profiling"}`, 'le');
    expect(Object.keys(buckets)).toHaveLength(15);
    for (const [bound, count] of Object.entries(buckets)) {
      const limit = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
      expect(count, bound).toBe(run.latencies.filter(seconds => seconds <= limit).length);
    }
    const sum = run.latencies.reduce((total, seconds) => total + seconds, 0);
    expect((await readLast(name, `${DURATION}_sum{phase="profiling"}`, ''))['']).toBeCloseTo(sum, 9);
  });

  test('native histograms have the count and the sum of the requests', async () => {
    const name = 'OTLP with native histograms';
    const read = async (what: string): Promise<number> => {
      const expression = `histogram_${what}(last_over_time(${DURATION}{phase="profiling"}[1h]))`;
      const [result] = await queryPrometheus(urls.get(name)!, expression, Date.now() / 1000);
      return Number(result?.samples[0]?.[1]);
    };
    expect(await read('count')).toBe(run.requests);
    const sum = run.latencies.reduce((total, seconds) => total + seconds, 0);
    expect(await read('sum')).toBeCloseTo(sum, 9);
  });

  test.each(RECEIVERS)('$name: the statistics are those of the export', async ({ name }) => {
    const selector = `servelens_result_client{metric="request_latency",run_id="${run.id}"}`;
    const stored = await readLast(name, selector, 'statistic');
    for (const statistic of ['avg', 'p50', 'p90', 'p99', 'min', 'max', 'std'])
      expect(stored[statistic], statistic).toBe(run.latencyStatistics[statistic]);
    const series = await readSeries(urls.get(name)!, `servelens_result_server{run_id="${run.id}"}`);
    expect(series.size).toBeGreaterThan(100);
  });

  test.each(RECEIVERS)('$name: all series have the labels of the run, without secrets', async ({ name }) => {
    const series = await readSeries(urls.get(name)!, `{run_id="${run.id}"}`);
    const labels = `job="servelens"`;
    for (const key of series.keys()) {
      expect(key).toContain(`instance="${run.id}"`);
      expect(key).toContain(labels);
      expect(key).toContain('team="search"');
      expect(key).toContain(`api_key="${REDACTED}"`);
    }
    expect([...series.keys()].join('\n')).not.toContain(SECRET);
  });

  test.each(['OTLP', 'OTLP in JSON'] as const)('%s: the resource is in target_info', async name => {
    const [info] = (await readSeries(urls.get(name)!, `target_info{instance="${run.id}"}`)).keys();
    expect(info).toContain('team="search"');
    expect(info).toContain(`api_key="${REDACTED}"`);
    expect(info).toMatch(/service_version="\d+\.\d+\.\d+"/);
  });

  test.each(CLASSIC)('%s: series, times and values are those of remote write 2.0', async name => {
    const expected = await readLive('remote write 2.0');
    expect(expected.size).toBeGreaterThan(50);
    expect(Object.fromEntries(await readLive(name))).toEqual(Object.fromEntries(expected));
  });

  test('there is a value per second, at increasing times', async () => {
    const series = await readLive('remote write 2.0');
    const info = [...series].filter(([key]) => key.startsWith('servelens_run_info{'));
    const times = info.flatMap(([, samples]) => samples.map(([time]) => time)).toSorted((a, b) => a - b);
    expect(times.length).toBeGreaterThan(3);
    expect(new Set(times).size).toBe(times.length);
  });

  test.each(RECEIVERS)(
    '$name: live series end with the run, so that no value is shown later',
    async ({ name }) => {
      const url = urls.get(name)!;
      const info = await readSeries(url, `servelens_run_info{run_id="${run.id}"}`);
      const lastTime = Math.max(...[...info.values()].flatMap(samples => samples.map(([time]) => time)));
      const selector = `{run_id="${run.id}",__name__!~"servelens_result_.*|target_info"}`;
      const last = await listPresentSeries(url, selector, lastTime);
      expect(last.length).toBeGreaterThan(name === 'OTLP with native histograms' ? 15 : 50);
      expect(await listPresentSeries(url, selector, lastTime + 0.5)).toEqual([]);
    },
  );

  test.each(RECEIVERS)('$name: a run that has ended is pushed with the same statistics', async receiver => {
    const sent = await pushFinishedRun(run.folder, formatTarget(receiver));
    expect(sent.lost_values).toEqual({ queue_full: 0, rejected: 0, undelivered: 0 });
    const url = urls.get(receiver.name)!;
    // The labels that differ are those that `--push-label` added.
    const read = async (label: string): Promise<Record<string, string>> => {
      const selector = `{run_id="${run.id}",__name__=~"servelens_result_.*",${label}}`;
      const series = await readSeries(url, selector, ['sent', 'team', 'api_key']);
      return Object.fromEntries([...series].map(([key, samples]) => [key, samples.at(-1)![1]]));
    };
    const again = await read('sent="again"');
    expect(Object.keys(again)).toHaveLength(sent.sent_values);
    expect(again).toEqual(await read('sent=""'));
  });
});
