import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  CounterSeries,
  GaugeSeries,
  HistogramSeries,
  LegacyServerMetricsDocument,
  ServerMetricsDocument,
} from '../../src/index.ts';
import { convertLegacyServerMetrics, readServerMetrics, readServerMetricsJson } from '../../src/read.ts';
import { validate } from '../../src/validate/validate.ts';
import {
  writeLegacyServerMetricsJson,
  writeServerMetricsCsv,
  writeServerMetricsJson,
} from '../../src/write.ts';

const propertyOptions = { numRuns: 30 };
const url = 'http://10.0.0.1:8000/metrics';
const endpoint = '10.0.0.1:8000';
const startNs = 1_772_000_000_000_000_000n;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('=1+1', "'=x", '@a', '\t', 'a\nb', 'a\\nb', '\r\n', '\\\\', '"', ',', '#'),
);
/** Labels without empty values, which are the same as missing labels in Prometheus and in a CSV. */
const labels = fc.dictionary(
  fc.oneof(
    fc.stringMatching(/^[a-z_][a-z0-9_]{0,6}$/),
    fc.constantFrom('avg', 'Description', 'label:x', '=e'),
  ),
  text.filter(value => value !== ''),
  { minKeys: 1, maxKeys: 3 },
);
/** One to three different label sets. */
const labelSets = fc.uniqueArray(labels, {
  minLength: 1,
  maxLength: 3,
  selector: labels => JSON.stringify(Object.entries(labels).sort()),
});
const value = fc.double({ min: 0, max: 1e9, noNaN: true });

const buildGauge = (value: number): GaugeSeries['stats'] => ({
  ...{ avg: value, min: value, max: value, std: 0, p1: value, p5: value, p10: value, p25: value },
  ...{ p50: value, p75: value, p90: value, p95: value, p99: value },
});
const buildHistogram = (low: number, high: number): Pick<HistogramSeries, 'stats' | 'buckets'> => {
  const count = low + high;
  const sum = low * 0.5 + high * 5;
  const buckets = { '0.005': 0, '1': low, '10': count, '+Inf': count };
  if (count === 0) return { stats: { count }, buckets };
  return { stats: { count, sum, avg: sum / count, count_rate: count / 2, sum_rate: sum / 2 }, buckets };
};

const document = fc
  .record({
    gauges: labelSets,
    counters: labelSets,
    histograms: labelSets,
    value,
    total: fc.nat(),
    low: fc.nat(100),
    high: fc.nat(100),
    description: text,
    unit: fc.option(
      text.filter(unit => unit !== ''),
      { nil: undefined },
    ),
    name: text.filter(name => name !== '' && !name.endsWith('_info')),
  })
  .map((generated): ServerMetricsDocument => {
    const texts = {
      description: generated.description,
      ...(generated.unit === undefined ? {} : { unit: generated.unit }),
    };
    const buildSeries = <S>(
      labelSets: readonly Record<string, string>[],
      fields: S,
    ): (S & { endpoint_url: string })[] =>
      labelSets.map(labels => ({ endpoint_url: url, labels, ...fields }));
    const counter: CounterSeries['stats'] = { total: generated.total, rate: generated.total / 2 };
    const scrape = { total_fetches: 3, unique_updates: 3, avg_fetch_latency_ms: 1.5 };
    const times = {
      first_fetch_ns: startNs,
      first_update_ns: startNs,
      last_update_ns: startNs + 2n * 10n ** 9n,
    };
    return {
      schema_version: '1.0',
      aiperf_version: '0.1.0',
      benchmark_id: 'id-1',
      summary: {
        endpoints_configured: [url],
        endpoints_successful: [url],
        start_time: '2026-02-25T06:13:20Z',
        end_time: '2026-02-25T06:13:25Z',
        endpoint_info: {
          [url]: {
            ...{ ...scrape, ...times, last_fetch_ns: times.last_update_ns },
            ...{ duration_seconds: 2, avg_update_interval_ms: 1000 },
          },
        },
      },
      metrics: Object.fromEntries([
        [
          `${generated.name}_g`,
          {
            type: 'gauge',
            ...texts,
            series: buildSeries(generated.gauges, { stats: buildGauge(generated.value) }),
          },
        ],
        [
          `${generated.name}_c`,
          { type: 'counter', ...texts, series: buildSeries(generated.counters, { stats: counter }) },
        ],
        [
          `${generated.name}_h`,
          {
            type: 'histogram',
            ...texts,
            series: buildSeries(generated.histograms, buildHistogram(generated.low, generated.high)),
          },
        ],
      ]),
      input_config: {},
    } as ServerMetricsDocument;
  });

/** Expects that validation reports no errors. Warnings are allowed. */
const expectValid = async (text: string): Promise<void> => {
  const { valid, issues } = await validate(text);
  expect({ valid, issues: issues.filter(({ severity }) => severity === 'error') }).toEqual({
    valid: true,
    issues: [],
  });
};

/** Returns metrics as a CSV contains them, with short endpoint names. */
function toCsvMetrics(metrics: ServerMetricsDocument['metrics']): object {
  const entries = Object.entries(metrics).map(([name, metric]) => [
    name,
    { ...metric, series: metric.series.map(series => ({ ...series, endpoint_url: endpoint })) },
  ]);
  return Object.fromEntries(entries);
}

describe('server metrics are valid and read back unchanged', () => {
  it('as JSON 1.0', async () => {
    await fc.assert(
      fc.asyncProperty(document, async document => {
        const text = writeServerMetricsJson(document);
        await expectValid(text);
        expect(await readServerMetricsJson(text)).toEqual(document);
      }),
      propertyOptions,
    );
  });

  it('as CSV', async () => {
    await fc.assert(
      fc.asyncProperty(document, async document => {
        const text = writeServerMetricsCsv(document);
        await expectValid(text);
        const { metrics } = await readServerMetrics(text);
        expect(normalize(metrics)).toEqual(normalize(toCsvMetrics(document.metrics)));
      }),
      propertyOptions,
    );
  });

  it("as CSV in AIPerf's layout (names, descriptions and labels)", async () => {
    await fc.assert(
      fc.asyncProperty(document, async document => {
        const text = writeServerMetricsCsv(document, { layout: 'aiperf' });
        await expectValid(text);
        const { metrics, benchmark_id } = await readServerMetrics(text);
        expect(benchmark_id).toBe('id-1');
        expect(Object.keys(metrics).sort()).toEqual(Object.keys(document.metrics).sort());
        for (const [name, metric] of Object.entries(metrics)) {
          const written = document.metrics[name]!;
          expect(metric.description).toBe(written.description);
          expect(
            metric.series
              .map(({ labels }) => labels)
              .map(formatSortedLabels)
              .sort(),
          ).toEqual(
            written.series
              .map(({ labels }) => labels)
              .map(formatSortedLabels)
              .sort(),
          );
        }
      }),
      propertyOptions,
    );
  });

  it('in the flat layout', async () => {
    await fc.assert(
      fc.asyncProperty(document, async document => {
        const flat = flatten(document);
        const text = writeLegacyServerMetricsJson(flat);
        await expectValid(text);
        expect(await readServerMetricsJson(text)).toEqual(flat);
        const converted = convertLegacyServerMetrics(flat);
        for (const [name, metric] of Object.entries(document.metrics))
          expect(converted.metrics[name]!.series.map(({ labels }) => labels)).toEqual(
            metric.series.map(({ labels }) => labels),
          );
        expect(await readServerMetrics(text)).toEqual(converted);
      }),
      propertyOptions,
    );
  });
});

/** Converts a document to the flat layout. */
function flatten({ summary, metrics }: ServerMetricsDocument): LegacyServerMetricsDocument {
  const info = {
    endpoint_url: url,
    duration_seconds: 2,
    scrape_count: 3,
    avg_scrape_latency_ms: 1.5,
    avg_scrape_period_ms: 1000,
  };
  const entries = Object.entries(metrics).map(([name, { type, description, series }]) => {
    const flat = series.map(({ labels, stats, ...rest }) => ({
      ...{ endpoint, endpoint_url: url, labels: labels ?? null },
      ...flattenStats(type, stats as never),
      ...('buckets' in rest && 'sum' in stats ? { buckets: rest.buckets } : {}),
    }));
    return [name, { type, description, unit: null, series: flat }];
  });
  return {
    summary: {
      endpoints_configured: [endpoint],
      endpoints_successful: [endpoint],
      start_time: summary.start_time,
      end_time: summary.end_time,
      endpoint_info: { [endpoint]: info },
    },
    metrics: Object.fromEntries(entries),
  };
}

/** Converts the statistics of a series to the fields of a series in the flat layout. */
function flattenStats(type: string, stats: Readonly<Record<string, number>>): object {
  if (type === 'gauge') return { observation_count: 1, avg: stats.avg };
  if (type === 'counter')
    return { delta: stats.total, ...(stats.total ? { rate_per_second: stats.rate } : {}) };
  const { count, sum, avg, sum_rate, count_rate } = stats;
  return {
    observation_count: count,
    ...(count ? { avg, delta: sum, rate_per_second: sum_rate, observations_per_second: count_rate } : {}),
  };
}

/** Formats labels as JSON with sorted keys. */
function formatSortedLabels(labels: object | null | undefined): string {
  return JSON.stringify(Object.entries(labels ?? {}).sort());
}

/** Sorts the series of each metric, so that toEqual ignores their order. */
function normalize(metrics: object): unknown {
  return JSON.parse(
    JSON.stringify(metrics, (key, value) => {
      if (key === 'series')
        return [...value].sort((a, b) => (stringifySorted(a) < stringifySorted(b) ? -1 : 1));
      return value;
    }),
  );
}

function stringifySorted(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
