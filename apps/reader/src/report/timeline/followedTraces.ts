import type { Finding, Run, RunFamily } from '@org/analysis';
import type { PacedResult } from '@org/core';
import type { ProfileRecord, ServerMetricsRecord } from '@org/formats';
import { ClientRequests, toRequest } from './clientRequests.ts';
import { createSliceAxis, findMaxBins, readMinWidth } from './runAxes.ts';
import { RunTraces } from './runTraces.ts';
import { convertRecord, findAxisRange } from './sampleSource.ts';
import type { Axis } from './timeAxis.ts';
import { TraceFiller } from './traceFiller.ts';

/** The samples and requests of an active run, whose exports are not written yet. */
export interface RunningData {
  readonly listSamples: ListSamples;
  /** The requests of the profiling phase so far, in a list that grows; absent before the first one has ended. */
  readonly requests?: readonly ProfileRecord[];
  /** The traces of the run, which are kept between updates. */
  readonly traces: FollowedTraces;
  /** The findings, which can be older than the samples. */
  readonly findings: PacedResult<readonly Finding[]>;
}

/**
 * Returns the samples of the named metrics so far, in order of time, or after a time of each endpoint in nanoseconds since
 * 1970.
 */
export type ListSamples = (
  names: ReadonlySet<string>,
  after?: (endpointUrl: string) => bigint | undefined,
) => Iterable<ServerMetricsRecord>;

/** An axis that grows with an active run, up to its capacity. */
class GrowingAxis implements Axis {
  bins = 1;
  readonly width: number;
  readonly capacity: number;

  constructor(width: number, capacity: number) {
    this.width = width;
    this.capacity = capacity;
  }

  /** Length of the axis with all of its bins, in seconds. */
  get maxSeconds(): number {
    return this.width * this.capacity;
  }

  extend(seconds: number): void {
    this.bins = Math.max(1, Math.min(this.capacity, Math.ceil(seconds / this.width - 1e-9)));
  }
}

/** Traces, with the axes and the series that they belong to. */
interface Kept {
  /** Identifies the series and their histories. */
  readonly key: string;
  readonly axis: GrowingAxis;
  readonly sliceAxis: GrowingAxis;
  readonly traces: RunTraces;
  readonly filler: TraceFiller;
  /** The time of the last scrape of each endpoint, in nanoseconds since 1970. */
  readonly last: Map<string, bigint>;
  requests: KeptRequests | undefined;
}

/** The requests that were added, and the list that they are from. */
interface KeptRequests {
  readonly records: readonly ProfileRecord[];
  readonly collected: ClientRequests;
  count: number;
}

/**
 * The traces of an active run. Each scrape is added once. All scrapes are added again only if the axis has no more space for
 * the run, so that its bins become twice as wide, or if the series, or the outages and restarts of endpoints, have changed.
 */
export class FollowedTraces {
  #kept: Kept | undefined;

  /** Adds the samples since the last call. Returns undefined if the time range of the run is unknown. */
  read(
    run: Run,
    families: readonly RunFamily[],
    requests: number,
    listSamples: ListSamples,
  ): RunTraces | undefined {
    const range = findAxisRange(run);
    if (!range) return undefined;
    const { startNs, seconds } = range;
    const sliceWidth = createSliceAxis(seconds, run, requests).width;
    const key = describeSeries(run, families, startNs);
    const isKept = this.#kept?.key === key && hasSpace(this.#kept, seconds, sliceWidth);
    const kept = isKept ? this.#kept! : createKept(run, families, key, range, sliceWidth);
    this.#kept = kept;
    kept.axis.extend(seconds);
    kept.sliceAxis.extend(seconds);
    for (const record of listSamples(kept.filler.names, url => kept.last.get(url))) {
      for (const sample of convertRecord(record, startNs, kept.filler.names)) kept.filler.add(sample);
      kept.last.set(record.endpoint_url, record.timestamp_ns);
    }
    return kept.traces;
  }

  /** Reports whether traces are the kept ones. */
  isCurrent(traces: RunTraces): boolean {
    return this.#kept?.traces === traces;
  }

  /** Adds the requests since the last call to the axes of `read`. Returns undefined without requests or axes. */
  readRequests(records: readonly ProfileRecord[]): ClientRequests | undefined {
    const kept = this.#kept;
    if (!kept || records.length === 0) return undefined;
    const { axis, sliceAxis, traces } = kept;
    if (kept.requests?.records !== records)
      kept.requests = { records, collected: new ClientRequests(axis, sliceAxis), count: 0 };
    const { requests } = kept;
    for (; requests.count < records.length; requests.count++)
      requests.collected.add(toRequest(records[requests.count]!, requests.count + 1, traces.startNs));
    return requests.collected;
  }
}

function createKept(
  run: Run,
  families: readonly RunFamily[],
  key: string,
  { startNs, seconds }: { readonly startNs: bigint; readonly seconds: number },
  sliceWidth: number,
): Kept {
  const minWidth = readMinWidth(run);
  const maxBins = findMaxBins(run);
  const axis = new GrowingAxis(double(minWidth, seconds / maxBins), maxBins);
  const width = double(minWidth, sliceWidth);
  const sliceAxis = new GrowingAxis(width, Math.ceil(axis.maxSeconds / width));
  const traces = new RunTraces('all scrapes so far', startNs, axis, sliceAxis);
  const filler = new TraceFiller(run, families, traces, true);
  return { key, axis, sliceAxis, traces, filler, last: new Map(), requests: undefined };
}

/** Doubles a width until it is at least `needed`. */
function double(width: number, needed: number): number {
  return width * 2 ** Math.max(0, Math.ceil(Math.log2(needed / width)));
}

/** Reports whether axes have space for a run, and slices with about the right number of requests. */
function hasSpace({ axis, sliceAxis }: Kept, seconds: number, sliceWidth: number): boolean {
  const ratio = sliceAxis.width / sliceWidth;
  return seconds <= axis.maxSeconds && ratio >= 0.5 && ratio <= 4;
}

/** Describes what traces depend on, except their samples: the series, and the outages and restarts of endpoints. */
function describeSeries(run: Run, families: readonly RunFamily[], startNs: bigint): string {
  const endpoints = run.endpoints.map(({ url, info }) => [
    url,
    ...(info?.outages ?? []).map(({ start_ns, end_ns }) => `${start_ns}-${end_ns}`),
    ...(info?.resets ?? []).map(({ at_ns, process_restarted }) => `${at_ns} ${process_restarted}`),
  ]);
  const metrics = families.map(({ name, series }) => [
    name,
    ...series.flatMap(({ stats, endpointUrl, labels }) =>
      (stats as { readonly created_in_run?: unknown }).created_in_run ? [endpointUrl, labels] : [],
    ),
  ]);
  return JSON.stringify([String(startNs), run.times.profilingStartNs?.toString(), endpoints, metrics]);
}
