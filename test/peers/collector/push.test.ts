import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Service } from '../../service.ts';
import { describePeer } from '../support/peer.ts';
import { type PushedRun, pushFinishedRun, pushRun, REDACTED, SECRET } from '../support/pushedRun.ts';
import { startSimulator } from '../support/simulator.ts';
import { type CollectedPoint, Collector } from './collector.ts';

/** The encodings of OTLP, each of which has its own receiver. */
const ENCODINGS = ['otlp', 'otlp-json'] as const;
/** A receiver of statistics of a run that has ended. */
const FINISHED = 'finished';

const POLL = { timeout: 120_000, interval: 200 };

describePeer('collector', 'Values that are pushed to an OpenTelemetry collector', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'collector-'));
  let collector: Collector;
  let simulator: Service;
  let run: PushedRun;

  beforeAll(async () => {
    collector = await Collector.start(peer, folder, [...ENCODINGS, FINISHED]);
    simulator = await startSimulator();
    const targets = ENCODINGS.map(encoding => `${encoding}=${collector.getUrl(encoding)}`);
    run = await pushRun(simulator.url, join(folder, 'run'), targets);
    // A point of an ended series counts as a value.
    for (const [index, encoding] of ENCODINGS.entries())
      await waitForPoints(encoding, run.receivers[index]!.sent_values);
  }, 600_000);

  afterAll(async () => {
    await simulator?.stop();
    await collector?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Waits until the file of a receiver has a number of points. Its last line may be incomplete until then. */
  const waitForPoints = (receiver: string, count: number): Promise<void> =>
    vi.waitFor(() => expect(collector.readPoints(receiver)).toHaveLength(count), POLL);

  /** Selects the points of a metric in the profiling phase. */
  const select = (encoding: string, metric: string): CollectedPoint[] =>
    collector
      .readPoints(encoding)
      .filter(point => point.metric === metric && point.attributes.phase === 'profiling');

  const readLast = (encoding: string, metric: string, attribute: string, value: string): CollectedPoint => {
    const points = select(encoding, metric).filter(
      ({ attributes, flags }) => attributes[attribute] === value && !flags,
    );
    return points.at(-1)!;
  };

  test('no value was lost', () => {
    for (const receiver of run.receivers)
      expect(receiver.lost_values).toEqual({ queue_full: 0, rejected: 0, undelivered: 0 });
  });

  test.each(ENCODINGS)('%s: counters and histograms are those of the export', encoding => {
    const requests = readLast(encoding, 'servelens.client.requests', 'outcome', 'succeeded');
    expect(requests).toMatchObject({ asDouble: run.requests, kind: 'sum', unit: '{request}' });
    const duration = select(encoding, 'gen_ai.client.operation.duration')
      .filter(({ flags }) => !flags)
      .at(-1)!;
    expect(duration).toMatchObject({ kind: 'histogram', unit: 's', count: String(run.requests) });
    expect(duration.sum).toBeCloseTo(
      run.latencies.reduce((total, seconds) => total + seconds, 0),
      9,
    );
    const bounds = [...duration.explicitBounds!, Number.POSITIVE_INFINITY];
    const expected = bounds.map(
      (bound, index) =>
        run.latencies.filter(
          seconds => seconds <= bound && seconds > (bounds[index - 1] ?? Number.NEGATIVE_INFINITY),
        ).length,
    );
    expect(duration.bucketCounts!.map(Number)).toEqual(expected);
    for (const type of ['input', 'output'] as const)
      expect(readLast(encoding, 'gen_ai.client.token.usage', 'gen_ai.token.type', type).sum).toBe(
        run.tokens[type],
      );
  });

  test.each(ENCODINGS)('%s: the statistics are those of the export', encoding => {
    const points = collector
      .readPoints(encoding)
      .filter(
        ({ metric, attributes }) =>
          metric === 'servelens.result.client' && attributes.metric === 'request_latency',
      );
    const stored = Object.fromEntries(
      points.map(({ attributes, asDouble }) => [attributes.statistic, asDouble]),
    );
    for (const statistic of ['avg', 'p50', 'p90', 'p99', 'min', 'max', 'std'])
      expect(stored[statistic], statistic).toBe(run.latencyStatistics[statistic]);
  });

  test.each(ENCODINGS)('%s: points and resources have the labels of the run, without secrets', encoding => {
    const points = collector.readPoints(encoding);
    for (const { resource, attributes } of points) {
      expect(resource).toMatchObject({
        'service.name': 'servelens',
        'service.instance.id': run.id,
        team: 'search',
        api_key: REDACTED,
      });
      expect(attributes).toMatchObject({ run_id: run.id, team: 'search', api_key: REDACTED });
    }
    expect(JSON.stringify(points)).not.toContain(SECRET);
  });

  test('both encodings have the same points', () => {
    expect(collector.readPoints('otlp-json')).toEqual(collector.readPoints('otlp'));
  });

  test.each(ENCODINGS)('%s: each live series ends with one point without a value', encoding => {
    const series = new Map<string, CollectedPoint[]>();
    for (const point of collector.readPoints(encoding)) {
      if (point.metric.startsWith('servelens.result.')) continue;
      const key = `${point.metric} ${JSON.stringify(point.attributes)}`;
      series.set(key, [...(series.get(key) ?? []), point]);
    }
    expect(series.size).toBeGreaterThan(20);
    for (const [key, points] of series) {
      expect(
        points.map(({ flags }) => flags ?? 0),
        key,
      ).toEqual([...points.slice(1).map(() => 0), 1]);
      const { asDouble, count, timeUnixNano } = points.at(-1)!;
      expect(asDouble ?? 0, key).toBe(0);
      expect(Number(count ?? 0), key).toBe(0);
      expect(BigInt(timeUnixNano)).toBeGreaterThan(BigInt(points.at(-2)!.timeUnixNano));
    }
  });

  test('a run that has ended is pushed with the same statistics', async () => {
    const sent = await pushFinishedRun(run.folder, `otlp=${collector.getUrl(FINISHED)}`);
    await waitForPoints(FINISHED, sent.sent_values);
    const describe = (receiver: string): string[] =>
      collector
        .readPoints(receiver)
        .filter(({ metric }) => metric.startsWith('servelens.result.'))
        .map(({ metric, asDouble, attributes: { sent, team, api_key, ...attributes } }) =>
          JSON.stringify([metric, asDouble, Object.entries(attributes).sort()]),
        )
        .sort();
    expect(describe(FINISHED)).toEqual(describe('otlp'));
  });
});
