import type { LegacyServerMetricsDocument } from '../generated/legacyServerMetrics.ts';
import type { ProfileAggregate } from '../generated/profileAggregate.ts';
import type { ProfileCollated } from '../generated/profileCollated.ts';
import type { ProfileExport } from '../generated/profileExport.ts';
import type { ProfileSweep } from '../generated/profileSweep.ts';
import type { ProfileTimeslices } from '../generated/profileTimeslices.ts';
import type { ServerMetricsDocument } from '../generated/serverMetrics.ts';
import {
  legacyServerMetrics,
  profileAggregate,
  profileCollated,
  profileExport,
  profileSweep,
  profileTimeslices,
  serverMetrics,
} from '../generated/shapes.ts';
import type { Shape } from '../schema/shape.ts';
import type { LegacyServerMetricsStream, ServerMetricsStream } from './documentStream.ts';
import { type JsonOptions, JsonWriter } from './jsonWriter.ts';
import { downgradeProfileExport, type ProfileExportVersion } from './profileVersion.ts';

/** Pieces of a document end within its metrics: one piece for each series. */
const chunkDepth = 4;

function text(document: object, shape: Shape, options?: JsonOptions): string {
  return `${new JsonWriter(2, options).text(document, shape)}\n`;
}

function* chunks(document: object, shape: Shape, options?: JsonOptions): Generator<string> {
  yield* new JsonWriter(2, options).chunks(document, shape, chunkDepth);
  yield '\n';
}

/**
 * server_metrics_export.json, schema 1.0 (seeds 001 and 002): fields in the order of the schema, two-space
 * indent, buckets by bound, absent fields left out, nanoseconds as exact integers, floats with a fraction.
 * Metrics and series stay in the order in which they are given. A NaN or infinity is left out and reported
 * to `onNonFinite`.
 */
export function writeServerMetricsJson(document: ServerMetricsDocument, options?: JsonOptions): string {
  return text(document, serverMetrics, options);
}

/** The same text in pieces, for documents that should not be held as one string, or not at all. */
export function streamServerMetricsJson(
  document: ServerMetricsDocument | ServerMetricsStream,
  options?: JsonOptions,
): Generator<string> {
  return chunks(document, serverMetrics, options);
}

/** server_metrics_export.json in the flat layout of December 2025 (seed 003). */
export function writeLegacyServerMetricsJson(
  document: LegacyServerMetricsDocument,
  options?: JsonOptions,
): string {
  return text(document, legacyServerMetrics, options);
}

/** The flat layout in pieces, for documents that should not be held as one string, or not at all. */
export function streamLegacyServerMetricsJson(
  document: LegacyServerMetricsDocument | LegacyServerMetricsStream,
  options?: JsonOptions,
): Generator<string> {
  return chunks(document, legacyServerMetrics, options);
}

/** How a profile export is written. */
export interface ProfileExportOptions extends JsonOptions {
  /** Schema version to write; fields that came later are left out. 1.3 when absent. */
  readonly schemaVersion?: ProfileExportVersion;
}

/**
 * profile_export_aiperf.json (seed 004), schema 1.3 or an older one. Metric blocks follow benchmark_id, as AIPerf has
 * them.
 */
export function writeProfileExportJson(document: ProfileExport, options: ProfileExportOptions = {}): string {
  const { schemaVersion } = options;
  const written = schemaVersion === undefined ? document : downgradeProfileExport(document, schemaVersion);
  return text(written, profileExport, options);
}

/** profile_export_aiperf_timeslices.json: metric blocks follow the times of their slice. */
export function writeProfileTimeslicesJson(document: ProfileTimeslices, options?: JsonOptions): string {
  return text(document, profileTimeslices, options);
}

/** profile_export_aiperf_aggregate.json, schema 1.0: figures of several runs and how sure they are. */
export function writeProfileAggregateJson(document: ProfileAggregate, options?: JsonOptions): string {
  return text(document, profileAggregate, options);
}

/** profile_export_aiperf_collated.json, schema 1.0.0: the requests of several runs as one population. */
export function writeProfileCollatedJson(document: ProfileCollated, options?: JsonOptions): string {
  return text(document, profileCollated, options);
}

/** profile_export_aiperf_sweep.json, schema 1.0: what each combination of parameters gave. */
export function writeProfileSweepJson(document: ProfileSweep, options?: JsonOptions): string {
  return text(document, profileSweep, options);
}
