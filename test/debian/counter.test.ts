import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { parseJson } from '../../packages/formats/dist/json/parse.js';
import { queryPrometheus } from './prometheus.ts';

const runs = inject('runs');

/** Counters of the node exporter that always increase, are never reset, and are small enough to be exact. */
const COUNTERS = ['node_context_switches', 'node_intr', 'node_cpu_seconds', 'node_softnet_processed'];

/**
 * Prometheus uses the start of a scrape as its timestamp and adjusts it by up to 2 ms. While the
 * system clock is being adjusted, it differs by a few ms from the clock of Servelens, which reads the system
 * clock only once.
 */
const TIMESTAMP_ERROR_S = 0.01;

/** The time before the query that contains the run. Other test files may run before this one for some minutes. */
const LOOK_BACK = '2h';

/** A sample with the Unix times of its request and response, in seconds. */
interface Sample {
  readonly requestS: number;
  readonly responseS: number;
  readonly value: number;
}

/** Two scrapers observe the same counters: each value of one is between two values of the other. */
describe.skipIf(!runs).each(COUNTERS)('%s, also scraped by Prometheus', name => {
  let exported: Metric;
  let servelensSamples: Map<string, Sample[]>;
  let prometheusSamples: Map<string, Sample[]>;
  let period: readonly [bigint, bigint];

  beforeAll(async () => {
    const { servers, prometheus, nodeExporter } = runs!;
    const readExport = (extension: string): string =>
      readFileSync(join(servers, `server_metrics_export.${extension}`), 'utf8');
    const document = parseJson(readExport('json')).value as Document;
    period = [document.summary.profiling_start_ns, document.summary.profiling_end_ns];
    exported = document.metrics[name]!;
    servelensSamples = readExportedSamples(readExport('jsonl'), `${nodeExporter}/metrics`, name);
    prometheusSamples = await queryStoredSamples(prometheus, `${name}_total`);
  });

  test('has the same series', () => {
    expect([...servelensSamples.keys()].sort()).toEqual([...prometheusSamples.keys()].sort());
    expect(exported.series.map(({ labels }) => createKey(labels)).sort()).toEqual(
      [...servelensSamples.keys()].sort(),
    );
  });

  test('has every sample of Servelens between two samples of Prometheus', () => {
    let boundedCount = 0;
    for (const [key, samples] of servelensSamples) {
      for (const sample of samples) {
        const [low, high] = findBracket(prometheusSamples.get(key)!, sample);
        expect(sample.value, key).toBeGreaterThanOrEqual(low);
        expect(sample.value, key).toBeLessThanOrEqual(high);
        if (Number.isFinite(low) && Number.isFinite(high)) boundedCount++;
      }
    }
    const sampleCount = [...servelensSamples.values()].flat().length;
    expect(sampleCount).toBeGreaterThan(10);
    expect(boundedCount).toBeGreaterThan(0.6 * sampleCount);
  });

  test('has the total of the run between two totals of Prometheus', () => {
    for (const { labels, stats } of exported.series) {
      const key = createKey(labels);
      const reference = servelensSamples
        .get(key)!
        .findLast(({ responseS }) => responseS < toSeconds(period[0]))!;
      const last = servelensSamples.get(key)!.find(({ responseS }) => responseS > toSeconds(period[1]))!;
      const [lowFirst, highFirst] = findBracket(prometheusSamples.get(key)!, reference);
      const [lowLast, highLast] = findBracket(prometheusSamples.get(key)!, last);
      expect([lowFirst, highFirst, lowLast, highLast].every(Number.isFinite), key).toBe(true);
      expect(stats.total, key).toBeGreaterThanOrEqual(lowLast - highFirst);
      expect(stats.total, key).toBeLessThanOrEqual(highLast - lowFirst);
    }
    expect(exported.series.some(({ stats }) => stats.total > 0)).toBe(true);
  });
});

/**
 * Returns the highest value observed before a sample and the lowest value observed after it, infinite if there
 * is none.
 */
function findBracket(otherSamples: readonly Sample[], { requestS, responseS }: Sample): [number, number] {
  const valuesBefore = otherSamples
    .filter(other => other.responseS + TIMESTAMP_ERROR_S <= requestS)
    .map(({ value }) => value);
  const valuesAfter = otherSamples
    .filter(other => other.requestS - TIMESTAMP_ERROR_S >= responseS)
    .map(({ value }) => value);
  return [Math.max(...valuesBefore), Math.min(...valuesAfter)];
}

interface Metric {
  readonly series: readonly { readonly labels?: Labels; readonly stats: { readonly total: number } }[];
}

interface Document {
  readonly summary: { readonly profiling_start_ns: bigint; readonly profiling_end_ns: bigint };
  readonly metrics: Readonly<Record<string, Metric>>;
}

type Labels = Readonly<Record<string, string>>;

interface Line {
  readonly endpoint_url: string;
  readonly timestamp_ns: bigint;
  readonly request_sent_ns: bigint;
  readonly metrics: Readonly<Record<string, readonly { readonly labels?: Labels; readonly value: number }[]>>;
}

function readExportedSamples(jsonl: string, url: string, name: string): Map<string, Sample[]> {
  const samples = new Map<string, Sample[]>();
  for (const text of jsonl.trimEnd().split('\n')) {
    const line = parseJson(text).value as Line;
    if (line.endpoint_url !== url) continue;
    const times = { requestS: toSeconds(line.request_sent_ns), responseS: toSeconds(line.timestamp_ns) };
    for (const { labels, value } of line.metrics[name] ?? []) {
      const key = createKey(labels);
      samples.set(key, [...(samples.get(key) ?? []), { ...times, value }]);
    }
  }
  return samples;
}

/** Returns the samples that Prometheus stored, by series. */
async function queryStoredSamples(url: string, name: string): Promise<Map<string, Sample[]>> {
  const nowS = Date.now() / 1000;
  const [durations] = await queryPrometheus(url, `scrape_duration_seconds{job="node"}[${LOOK_BACK}]`, nowS);
  const seconds = new Map(durations!.samples.map(([time, text]) => [time, Number(text)]));
  const results = await queryPrometheus(url, `${name}{job="node"}[${LOOK_BACK}]`, nowS);
  return new Map(
    results.map(({ metric: { __name__, job, instance, ...labels }, samples }) => [
      createKey(labels),
      samples.map(([time, text]) => ({
        requestS: time,
        responseS: time + (seconds.get(time) ?? 1),
        value: Number(text),
      })),
    ]),
  );
}

function createKey(labels: Labels | undefined): string {
  return JSON.stringify(Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Converts nanoseconds to seconds. The error of about 1 µs does not matter, because scrapes are milliseconds
 * apart.
 */
function toSeconds(ns: bigint): number {
  return Number(ns) / 1e9;
}
