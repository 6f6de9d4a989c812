import type { LegacyMetric, LegacyServerMetricsDocument } from '../generated/legacyServerMetrics.ts';
import type { ProfileAggregate } from '../generated/profileAggregate.ts';
import type { ProfileCollated } from '../generated/profileCollated.ts';
import type { ProfileExport } from '../generated/profileExport.ts';
import type { ProfileSweep } from '../generated/profileSweep.ts';
import type { ProfileTimeslices } from '../generated/profileTimeslices.ts';
import type { SearchHistory } from '../generated/searchHistory.ts';
import type { DerivedMetric, Metric, ServerMetricsDocument } from '../generated/serverMetrics.ts';
import {
  legacyServerMetrics,
  profileAggregate,
  profileCollated,
  profileExport,
  profileSweep,
  profileTimeslices,
  searchHistory,
  serverMetrics,
} from '../generated/shapes.ts';
import type { Shape } from '../schema/shape.ts';
import {
  AIPERF_PROFILE_SHAPE,
  AIPERF_SERVER_METRICS_SHAPE,
  AIPERF_TIMESLICES_SHAPE,
  toAiperfProfileExport,
  toAiperfServerMetrics,
  toAiperfTimeslices,
} from './aiperfLayout.ts';
import { fillEndpointInfo } from './endpointZeros.ts';
import { type JsonOptions, JsonWriter } from './jsonWriter.ts';
import { downgradeProfileExport, type ProfileExportVersion } from './profileVersion.ts';

/** A metric whose series are generated while they are written. */
export type MetricStream = Omit<Metric, 'series'> & { readonly series: Iterable<Metric['series'][number]> };

/** A server metrics document whose metrics and series are generated while they are written. Each is iterated once. */
export type ServerMetricsStream = Omit<ServerMetricsDocument, 'metrics' | 'warmup_metrics' | 'derived'> & {
  readonly metrics: Iterable<readonly [name: string, metric: MetricStream]>;
  readonly warmup_metrics?:
    | Iterable<readonly [name: string, metric: MetricStream]>
    | ServerMetricsDocument['warmup_metrics'];
  /** Generated after the metrics have been written. */
  readonly derived?: Iterable<DerivedMetric>;
};

/** A metric of the flat layout whose series are generated while they are written. */
export type LegacyMetricStream = Omit<LegacyMetric, 'series'> & {
  readonly series: Iterable<LegacyMetric['series'][number]>;
};

/**
 * A document of the flat layout whose metrics and series are generated while they are written. Each is
 * iterated once.
 */
export type LegacyServerMetricsStream = Omit<LegacyServerMetricsDocument, 'metrics'> & {
  readonly metrics: Iterable<readonly [name: string, metric: LegacyMetricStream]>;
};

/** Nesting depth of series in a document. Each series is a separate chunk. */
const CHUNK_DEPTH = 4;

function formatDocument(document: object, shape: Shape, options: JsonOptions = {}): string {
  return new JsonWriter(2, options).stringify(document, shape) + getFileEnd(options);
}

function* streamDocument(document: object, shape: Shape, options: JsonOptions = {}): Generator<string> {
  yield* new JsonWriter(2, options).stream(document, shape, CHUNK_DEPTH);
  yield getFileEnd(options);
}

/** Returns the text after a document. AIPerf's files have no line feed at their end. */
function getFileEnd({ layout }: JsonOptions): string {
  return layout === 'aiperf' ? '' : '\n';
}

/**
 * Returns the text of server_metrics_export.json, schema 1.0, indented by two spaces. Fields are in the order
 * of the schema, and metrics and series in the order of the document. Buckets are sorted by bound,
 * nanoseconds are exact integers, and floats always have a fraction. Fields that are NaN or infinite are
 * omitted and passed to `onNonFinite`.
 */
export function writeServerMetricsJson(document: ServerMetricsDocument, options?: JsonOptions): string {
  return formatDocument(toServerMetrics(document, options), getServerMetricsShape(options), options);
}

/** Yields the text of `writeServerMetricsJson` in chunks, for documents that are too large for one string. */
export function streamServerMetricsJson(
  document: ServerMetricsDocument | ServerMetricsStream,
  options?: JsonOptions,
): Generator<string> {
  return streamDocument(toServerMetrics(document, options), getServerMetricsShape(options), options);
}

function getServerMetricsShape(options: JsonOptions | undefined): Shape {
  return options?.layout === 'aiperf' ? AIPERF_SERVER_METRICS_SHAPE : serverMetrics;
}

function toServerMetrics<Document extends Pick<ServerMetricsDocument, 'summary'>>(
  document: Document,
  options: JsonOptions | undefined,
): Document {
  const filled = fillEndpointInfo(document);
  return options?.layout === 'aiperf' ? toAiperfServerMetrics(filled) : filled;
}

/** Returns the text of server_metrics_export.json in AIPerf's flat 2025 layout. */
export function writeLegacyServerMetricsJson(
  document: LegacyServerMetricsDocument,
  options?: JsonOptions,
): string {
  return formatDocument(document, legacyServerMetrics, options);
}

/** Yields the text of `writeLegacyServerMetricsJson` in chunks, for documents that are too large for one string. */
export function streamLegacyServerMetricsJson(
  document: LegacyServerMetricsDocument | LegacyServerMetricsStream,
  options?: JsonOptions,
): Generator<string> {
  return streamDocument(document, legacyServerMetrics, options);
}

/** Options for writing a profile export. */
export interface ProfileExportOptions extends JsonOptions {
  /** Schema version to write. Fields of newer versions are omitted. Default: 1.3. */
  readonly schemaVersion?: ProfileExportVersion;
}

/**
 * Returns the text of profile_export_aiperf.json. As in AIPerf's files, metric blocks are written after
 * `benchmark_id`.
 */
export function writeProfileExportJson(document: ProfileExport, options: ProfileExportOptions = {}): string {
  const { schemaVersion, layout } = options;
  if (layout === 'aiperf')
    return formatDocument(toAiperfProfileExport(document), AIPERF_PROFILE_SHAPE, options);
  const converted = schemaVersion === undefined ? document : downgradeProfileExport(document, schemaVersion);
  return formatDocument(converted, profileExport, options);
}

/**
 * Returns the text of profile_export_aiperf_timeslices.json. Metric blocks are written after the timestamps
 * of their slice.
 */
export function writeProfileTimeslicesJson(document: ProfileTimeslices, options?: JsonOptions): string {
  return options?.layout === 'aiperf'
    ? formatDocument(toAiperfTimeslices(document), AIPERF_TIMESLICES_SHAPE, options)
    : formatDocument(document, profileTimeslices, options);
}

/** Returns the text of profile_export_aiperf_aggregate.json, schema 1.0: statistics over several runs. */
export function writeProfileAggregateJson(document: ProfileAggregate, options?: JsonOptions): string {
  return formatDocument(document, profileAggregate, options);
}

/**
 * Returns the text of profile_export_aiperf_collated.json, schema 1.0.0: statistics over all requests of
 * several runs.
 */
export function writeProfileCollatedJson(document: ProfileCollated, options?: JsonOptions): string {
  return formatDocument(document, profileCollated, options);
}

/** Returns the text of profile_export_aiperf_sweep.json, schema 1.0: statistics for each combination of parameters. */
export function writeProfileSweepJson(document: ProfileSweep, options?: JsonOptions): string {
  return formatDocument(document, profileSweep, options);
}

/** Returns the text of search_history.json, schema 1.0: the probes of a search, and the boundary that it found. */
export function writeSearchHistoryJson(document: SearchHistory, options?: JsonOptions): string {
  return formatDocument(document, searchHistory, options);
}
