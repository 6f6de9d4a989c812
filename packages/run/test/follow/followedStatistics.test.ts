import { EndpointStore, Layout } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import type { RunRecord } from '@org/record';
import { createExportView } from '@org/record/view';
import { ExpositionReader } from '@org/scrape/exposition';
import { expect, test, vi } from 'vitest';
import { FollowedStatistics } from '../../src/follow/followedStatistics.ts';

const EXPORTS = { formats: [], percentileMethod: 'moments' } as const;
const URL = 'http://localhost:8000/metrics';
const SERIES = 5;
const HEALTH: RunRecord['endpoints'][number]['health'] = {
  status: 'active',
  last_error: null,
  scrapes_failed: 0,
  scrapes_late: 0,
  samples_dropped: 0,
  lines_dropped: 0,
  bytes: 0,
  outages: [],
  outages_omitted: 0,
  unsupported: [],
};

/** A run whose gauges and counters all have the number of the last scrape as their value. */
class GrowingRun {
  readonly #store = new EndpointStore(new Layout());
  readonly #reader = new ExpositionReader(this.#store.layout);
  #scrapes = 0;

  scrape(): RunRecord {
    this.#scrapes++;
    const lines = Array.from({ length: SERIES }, (_, i) => `# TYPE g${i} gauge\ng${i} ${this.#scrapes}\n`);
    const { values } = this.#reader.read(Buffer.from(lines.join('')), 'classic');
    const timestampNs = BigInt(this.#scrapes) * 1_000_000_000n;
    this.#store.append({ timestampNs, latencyNs: 1e6, changed: true, values });
    return this.createRecord(1n);
  }

  createRecord(startNs: bigint): RunRecord {
    const endNs = BigInt(this.#scrapes) * 1_000_000_000n + 1n;
    const endpoint = { url: URL, configuredUrl: URL, store: this.#store, health: HEALTH };
    const times = { startNs: 1n, endNs, period: { startNs, endNs } };
    return {
      benchmarkId: 'b',
      version: '1',
      ...times,
      cancelled: false,
      inputConfig: {},
      endpoints: [endpoint],
    };
  }
}

const readMaxima = ({ metrics }: Pick<ServerMetricsDocument, 'metrics'>): unknown[] =>
  Object.values(metrics).map(({ series }) => (series[0]!.stats as { max?: number }).max);

test('computes all series while there is time', async () => {
  const run = new GrowingRun();
  const statistics = new FollowedStatistics(Number.POSITIVE_INFINITY);
  for (const scrapes of [1, 2, 3])
    expect(readMaxima(await statistics.compute(createExportView(run.scrape()), EXPORTS, false))).toEqual(
      Array(SERIES).fill(scrapes),
    );
});

test('reuses results if there is no time, until the run has ended', async () => {
  const run = new GrowingRun();
  const statistics = new FollowedStatistics(0);
  expect(statistics.computedMs).toBeUndefined();
  for (const _ of [1, 2])
    expect(readMaxima(await statistics.compute(createExportView(run.scrape()), EXPORTS, false))).toEqual(
      Array(SERIES).fill(1),
    );
  expect(statistics.computedMs).toBeLessThanOrEqual(Date.now());
  expect(readMaxima(await statistics.compute(createExportView(run.scrape()), EXPORTS, true))).toEqual(
    Array(SERIES).fill(3),
  );
});

test('computes at least one further series per update, in turns, however long the others take', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1000));
  const run = new GrowingRun();
  const statistics = new FollowedStatistics(30);
  const update = async () =>
    readMaxima(await statistics.compute(createExportView(run.scrape()), EXPORTS, false));
  expect([await update(), await update(), await update()]).toEqual([
    [1, 1, 1, 1, 1],
    [1, 2, 1, 1, 1],
    [1, 2, 3, 1, 1],
  ]);
});

test('has current facts about endpoints although results are reused', async () => {
  const run = new GrowingRun();
  const statistics = new FollowedStatistics(0);
  const fetches = [];
  for (const _ of [1, 2]) {
    const { summary } = await statistics.compute(createExportView(run.scrape()), EXPORTS, false);
    fetches.push(summary.endpoint_info[URL]!.total_fetches);
  }
  expect(fetches).toEqual([1, 2]);
});

test('computes all series of a new period', async () => {
  const run = new GrowingRun();
  const statistics = new FollowedStatistics(0);
  await statistics.compute(createExportView(run.scrape()), EXPORTS, false);
  run.scrape();
  expect(
    readMaxima(await statistics.compute(createExportView(run.createRecord(2n)), EXPORTS, false)),
  ).toEqual(Array(SERIES).fill(2));
});
