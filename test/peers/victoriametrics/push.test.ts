import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVictoriaMetrics } from '../../debian/monitoring.ts';
import { queryPrometheus } from '../../debian/prometheus.ts';
import type { Service } from '../../service.ts';
import { describePeer } from '../support/peer.ts';
import { type PushedRun, pushFinishedRun, pushRun, REDACTED, SECRET } from '../support/pushedRun.ts';
import { startSimulator } from '../support/simulator.ts';

/** Receivers of the same run, each with a separate server. */
const RECEIVERS = [
  { name: 'remote write', protocol: 'remote-write', path: '' },
  { name: 'OTLP', protocol: 'otlp', path: '/opentelemetry/v1/metrics' },
] as const;

type Receiver = (typeof RECEIVERS)[number];

/** Translates OTLP names, which VictoriaMetrics stores unchanged by default. */
const PROMETHEUS_NAMES = '-opentelemetry.usePrometheusNaming';

describePeer('victoriametrics', 'Values that are pushed to VictoriaMetrics', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'victoriametrics-'));
  const services: Service[] = [];
  const urls = new Map<string, string>();
  let run: PushedRun;

  beforeAll(async () => {
    for (const { name } of RECEIVERS) {
      const service = await startVictoriaMetrics(join(folder, name), join(peer, 'victoria-metrics'), [
        PROMETHEUS_NAMES,
      ]);
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

  const formatTarget = ({ name, protocol, path }: Receiver): string => `${protocol}=${urls.get(name)}${path}`;

  /** Reads the last value of each series of a selector, by one of its labels. */
  async function readLast(
    { name }: Receiver,
    selector: string,
    label: string,
  ): Promise<Record<string, number>> {
    const expression = `last_over_time(${selector}[1h])`;
    const results = await queryPrometheus(urls.get(name)!, expression, Date.now() / 1000 + 1);
    return Object.fromEntries(
      results.map(({ metric, samples }) => [metric[label] ?? '', Number(samples[0]![1])]),
    );
  }

  test('no value was lost', () => {
    expect(run.receivers).toHaveLength(RECEIVERS.length);
    for (const receiver of run.receivers)
      expect(receiver.lost_values).toEqual({ queue_full: 0, rejected: 0, undelivered: 0 });
  });

  test.each(RECEIVERS)(
    '$name: counters, histograms and statistics are those of the export',
    async receiver => {
      const requests = await readLast(
        receiver,
        'servelens_client_requests_total{phase="profiling"}',
        'outcome',
      );
      expect(requests).toMatchObject({ succeeded: run.requests, failed: 0 });
      const buckets = await readLast(
        receiver,
        'gen_ai_client_operation_duration_seconds_bucket{phase="profiling"}',
        'le',
      );
      expect(buckets['+Inf']).toBe(run.requests);
      for (const [bound, count] of Object.entries(buckets))
        expect(count, bound).toBe(run.latencies.filter(seconds => seconds <= toNumber(bound)).length);
      const selector = `servelens_result_client{metric="request_latency",run_id="${run.id}"}`;
      // VictoriaMetrics returns values a few seconds after it has received them.
      const read = () => readLast(receiver, selector, 'statistic');
      await expect.poll(async () => Object.keys(await read()), { timeout: 60_000 }).toContain('avg');
      const statistics = await read();
      for (const name of ['avg', 'p50', 'p99', 'max'])
        expect(statistics[name], name).toBeCloseTo(run.latencyStatistics[name]!, 9);
    },
  );

  test.each(RECEIVERS)('$name: series have the labels of the run, without secrets', async receiver => {
    const results = await queryPrometheus(
      urls.get(receiver.name)!,
      `last_over_time({run_id="${run.id}"}[1h])`,
      Date.now() / 1000 + 1,
    );
    expect(results.length).toBeGreaterThan(100);
    for (const { metric } of results) expect(metric).toMatchObject({ team: 'search', api_key: REDACTED });
    expect(JSON.stringify(results)).not.toContain(SECRET);
  });

  test.each(RECEIVERS)('$name: a run that has ended is pushed again', async receiver => {
    const sent = await pushFinishedRun(run.folder, formatTarget(receiver));
    expect(sent.lost_values).toEqual({ queue_full: 0, rejected: 0, undelivered: 0 });
  });
});

function toNumber(bound: string): number {
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
}
