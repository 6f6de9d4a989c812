import { sortLabels } from '@org/core';
import type { StoredSeries } from '../series.ts';

/** A series in a response of `query_range`: samples of Unix seconds and the value as text. */
interface MatrixSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values?: readonly (readonly [seconds: number, value: string])[];
}

/** A line of VictoriaMetrics' export: values, and Unix milliseconds. */
interface ExportedSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (number | string | null)[];
  readonly timestamps: readonly number[];
}

/** Thrown for JSON that is not the expected series. */
export class SeriesError extends Error {
  override readonly name: string = 'SeriesError';
}

/** Parses a series of a range query. Throws `SeriesError` if it is malformed. */
export function parseMatrixSeries(text: string): StoredSeries {
  const { metric, values } = parse<MatrixSeries>(text);
  const timesMs = new Float64Array(values?.length ?? 0);
  const samples = new Float64Array(timesMs.length);
  values?.forEach(([seconds, value], at) => {
    timesMs[at] = Math.round(seconds * 1000);
    samples[at] = toNumber(value);
  });
  return { labels: toLabels(metric, text), blocks: [{ kind: 'raw', timesMs, values: samples }] };
}

/** Parses a line of VictoriaMetrics' export. Throws `SeriesError` if it is malformed. */
export function parseExportLine(text: string): StoredSeries {
  const { metric, values, timestamps } = parse<ExportedSeries>(text);
  if (!Array.isArray(values) || !Array.isArray(timestamps) || values.length !== timestamps.length)
    throw new SeriesError(`a series needs as many timestamps as values: ${truncate(text)}`);
  const block = {
    kind: 'raw',
    timesMs: Float64Array.from(timestamps),
    values: Float64Array.from(values, toNumber),
  } as const;
  return { labels: toLabels(metric, text), blocks: [block] };
}

function parse<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new SeriesError(`not a series in JSON: ${truncate(text)}`);
  }
}

function toLabels(metric: unknown, text: string): StoredSeries['labels'] {
  if (typeof metric !== 'object' || metric === null)
    throw new SeriesError(`a series needs labels in "metric": ${truncate(text)}`);
  return sortLabels(Object.entries(metric as Record<string, string>));
}

/** Values that are not finite are texts or null in JSON. */
function toNumber(value: number | string | null): number {
  if (typeof value === 'number') return value;
  if (value === null) return Number.NaN;
  if (value === '+Inf' || value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Inf' || value === '-Infinity') return Number.NEGATIVE_INFINITY;
  return value === '' ? Number.NaN : Number(value);
}

function truncate(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
