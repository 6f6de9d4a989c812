import { formatCount, formatDuration } from '@org/core';
import type { TimeRange } from '@org/record';
import type { EndpointBuilder } from './endpoint/endpointBuilder.ts';
import type { TypeCounts } from './imported.ts';
import { formatTime } from './time.ts';

/** Facts about the scrapes and samples of an endpoint. */
export type EndpointFindings = Pick<EndpointBuilder, 'hasUp' | 'ends' | 'moved'>;

/** Findings of an import from an API. */
export interface ImportFindings {
  /** The requested range, in Unix milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly pieceMs: number;
  readonly sampled: TimeRange;
  readonly endpoints: readonly EndpointFindings[];
  readonly types: TypeCounts;
  /** The clock of the server minus that of this machine, in milliseconds. */
  readonly clockSkewMs: number;
}

/** Lists what an import from an API could not provide, as sentences. */
export function listLimitations(findings: ImportFindings): string[] {
  const { endpoints, types, clockSkewMs } = findings;
  return [
    ...describeCoverage(findings),
    ...describeClockSkew(clockSkewMs),
    ...describeTypes(types),
    ...describeMissingUp(endpoints.filter(({ hasUp }) => !hasUp)),
    ...describeMovedSamples(endpoints),
    'response times and sizes of the scrapes are unknown',
  ];
}

/** Minimum time without samples at the start or the end of the range that is reported, in milliseconds. */
const MIN_UNCOVERED_MS = 120_000;

function describeCoverage({ fromMs, toMs, sampled, pieceMs }: ImportFindings): string[] {
  const [firstMs, lastMs] = [convertToMs(sampled.startNs), convertToMs(sampled.endNs)];
  const limit = Math.min(MIN_UNCOVERED_MS, pieceMs);
  if (firstMs - fromMs <= limit && toMs - lastMs <= limit) return [];
  return [
    `the source has samples only from ${formatTime(firstMs)} to ${formatTime(lastMs)}, of the requested range from ${formatTime(fromMs)} to ${formatTime(toMs)}`,
  ];
}

/** Minimum difference of clocks that is reported, in milliseconds. The Date header has a resolution of 1 s. */
const MIN_CLOCK_SKEW_MS = 10_000;

/** Describes the difference between the clocks of the server and of this machine, which determines `now`. */
export function describeClockSkew(clockSkewMs: number): string[] {
  if (Math.abs(clockSkewMs) < MIN_CLOCK_SKEW_MS) return [];
  const direction = clockSkewMs > 0 ? 'ahead of' : 'behind';
  const duration = formatDuration(Math.round(Math.abs(clockSkewMs) / 1000));
  return [
    `the clock of the server is ${duration} ${direction} the clock of this machine, which determines relative times and now`,
  ];
}

function describeTypes({ metadata, known_server, name, none }: TypeCounts): string[] {
  const inferred = known_server + name;
  if (inferred + none === 0) return [];
  const known =
    metadata === 0 ? 'the source has no types of metrics' : 'the source has no types of some metrics';
  return [
    `${known}: ${inferred} were inferred from names and known servers, and ${none} are unknown (counted per endpoint)`,
  ];
}

function describeMissingUp(withoutUp: readonly EndpointFindings[]): string[] {
  if (withoutUp.length === 0) return [];
  const count = withoutUp.reduce((sum, { ends }) => sum + ends, 0);
  const ended = count > 0 ? `; all series of an endpoint ended ${formatCount(count, 'time')}` : '';
  return [
    `the metric up of ${formatCount(withoutUp.length, 'endpoint')} was not imported: failed scrapes are unknown and are not counted${ended}`,
  ];
}

function describeMovedSamples(endpoints: readonly EndpointFindings[]): string[] {
  const count = endpoints.reduce((sum, { moved }) => sum + moved, 0);
  if (count === 0) return [];
  return [
    `${formatCount(count, 'sample')} with explicit timestamps are stored with the time of the scrape that returned them`,
  ];
}

function convertToMs(ns: bigint): number {
  return Number(ns / 1_000_000n);
}
