import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerMetricsDocument } from '../src/index.ts';
import { parseJson } from '../src/json/parse.ts';
import { validate } from '../src/validate/validate.ts';
import { writeServerMetricsCsv, writeServerMetricsJson } from '../src/write.ts';
import { findSharedFolder } from './support/shared.ts';

const parityFolder = findSharedFolder('parity');
const fileNames = parityFolder
  ? readdirSync(parityFolder).filter(name => name.endsWith('.expected.json'))
  : [];

interface Expected {
  readonly endpoints: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly series: readonly ExpectedSeries[];
}

interface ExpectedSeries {
  readonly endpoint_url: string;
  readonly metric: string;
  readonly type: 'gauge' | 'counter' | 'histogram' | 'unknown';
  readonly unit: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly stats: object;
  readonly buckets: readonly (readonly [string, number])[] | null;
  readonly timeslices: readonly Slice[] | null;
  readonly deviations?: readonly { readonly rule: string }[];
}

interface Slice {
  readonly start_ns: string;
  readonly end_ns: string;
  readonly buckets?: readonly (readonly [string, number])[] | null;
}

/** Builds the document that AIPerf would write from the statistics that it computed. */
function buildDocument({ endpoints, series }: Expected): ServerMetricsDocument {
  const urls = Object.keys(endpoints);
  // AIPerf computes negative deltas after resets, and exports series without statistics; both are omitted here.
  const comparable = series.filter(
    ({ deviations }) => !deviations?.some(({ rule }) => rule === 'reset' || rule === 'nan'),
  );
  const names = [...new Set(comparable.map(({ metric }) => metric))].sort();
  return {
    schema_version: '1.0',
    summary: {
      endpoints_configured: urls,
      endpoints_successful: urls,
      start_time: '2025-12-05T16:00:05.808339',
      end_time: '2025-12-05T16:00:19.960029',
      endpoint_info: Object.fromEntries(
        Object.entries(endpoints).map(([url, info]) => [url, toExactTimes(info) as never]),
      ),
    },
    metrics: Object.fromEntries(
      names.map(name => [name, buildMetric(comparable.filter(({ metric }) => metric === name))]),
    ),
    input_config: {},
  };
}

/** Converts nanoseconds, which are strings in the shared test data, to bigint. Omits `effective_end_ns`. */
function toExactTimes<T extends object>(values: T): object {
  const entries = Object.entries(values).filter(([key]) => key !== 'effective_end_ns');
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key.endsWith('_ns') ? BigInt(value) : value]),
  );
}

function buildMetric(series: readonly ExpectedSeries[]): ServerMetricsDocument['metrics'][string] {
  const [{ type, unit }] = series as [ExpectedSeries];
  return {
    type,
    description: '',
    ...(unit === null ? {} : { unit }),
    series: series.map(({ endpoint_url, labels, stats, buckets, timeslices }) => ({
      endpoint_url,
      labels,
      stats,
      ...(buckets ? { buckets: Object.fromEntries(buckets) } : {}),
      ...(timeslices?.length ? { timeslices: timeslices.map(buildSlice) } : {}),
    })),
  } as ServerMetricsDocument['metrics'][string];
}

function buildSlice({ buckets, ...slice }: Slice): object {
  return { ...toExactTimes(slice), ...(buckets ? { buckets: Object.fromEntries(buckets) } : {}) };
}

describe.skipIf(!parityFolder)('documents with the statistics of AIPerf', () => {
  it.each(fileNames)('%s is valid as JSON and CSV, and read back unchanged', async name => {
    const { value } = parseJson(readFileSync(join(parityFolder!, name), 'utf8'));
    const document = buildDocument(value as Expected);
    const json = writeServerMetricsJson(document);
    expect((await validate(json, { strict: true })).issues).toEqual([]);
    expect((await validate(writeServerMetricsCsv(document))).issues).toEqual([]);
    expect(parseJson(json).value).toEqual(document);
  });
});
