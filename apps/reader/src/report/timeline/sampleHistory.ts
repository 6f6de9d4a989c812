import type { Run, RunSeries } from '@org/analysis';
import type { Axis } from './timeAxis.ts';

/** Events between the samples of a series, from the export of its run. Times are in seconds on the axis. */
export interface SampleHistory {
  /** Time ranges in which scrapes of the endpoint failed. */
  readonly outages?: readonly (readonly [from: number, to: number])[];
  /** First scrapes after restarts of the server, which reset all counters. */
  readonly restarts?: readonly number[];
  /** The creation of the series in the run. The series was 0 from the start of the period. */
  readonly creation?: {
    readonly periodStart: number;
    /** Time between the last scrape without the series and its first sample. */
    readonly interval: number;
  };
}

/** Maximum length of a gap between samples, in bins, over which an increase is spread. */
const MAX_GAP_BINS = 2;

/** Reports whether all values count from 0 after a sample. */
export function isReset(from: number, to: number, hasFallen: boolean, { restarts }: SampleHistory): boolean {
  return hasFallen || (restarts?.some(seconds => seconds > from && seconds <= to) ?? false);
}

/**
 * Reports whether the rate between two samples is unknown: they are far apart, and the server restarted or did not
 * respond between them. Samples can also be far apart because nothing changed or the endpoint is slow.
 */
export function isGap(
  from: number,
  to: number,
  hasReset: boolean,
  { width }: Axis,
  { outages }: SampleHistory,
): boolean {
  if (to - from <= MAX_GAP_BINS * width) return false;
  return hasReset || (outages?.some(([start, end]) => start < to && end > from) ?? false);
}

/** Returns the time range in which a series was 0 before its first sample; undefined if that is unknown. */
export function findStart(
  firstSeconds: number,
  { creation }: SampleHistory,
): { readonly from: number; readonly to: number } | undefined {
  if (!creation) return undefined;
  const to = Math.max(creation.periodStart, firstSeconds - creation.interval);
  return { from: creation.periodStart, to };
}

/** The histories of the series of a run, which are found by the samples' metric, endpoint and labels. */
export class SampleHistories {
  readonly #run: Run;
  readonly #startNs: bigint;
  readonly #endpoints = new Map<string, SampleHistory>();
  readonly #created = new Map<string, SampleHistory>();

  /**
   * @param startNs start of the time axis, as Unix time in nanoseconds
   * @param areRaw whether samples are values of the server, which restarts reset; otherwise, they are increases
   */
  constructor(run: Run, startNs: bigint, areRaw: boolean) {
    this.#run = run;
    this.#startNs = startNs;
    for (const { url, info } of run.endpoints) {
      const resets = areRaw ? (info?.resets ?? []) : [];
      this.#endpoints.set(url, {
        outages: (info?.outages ?? []).map(({ start_ns, end_ns }) => [
          this.#toSeconds(start_ns),
          end_ns === undefined ? Number.POSITIVE_INFINITY : this.#toSeconds(end_ns),
        ]),
        restarts: resets.flatMap(({ at_ns, process_restarted }) =>
          process_restarted ? this.#toSeconds(at_ns) : [],
        ),
      });
    }
  }

  /** Adds the series of a metric that were created in the run. */
  addCreated(series: readonly RunSeries[], defaultInterval: number): void {
    const { profilingStartNs } = this.#run.times;
    if (profilingStartNs === undefined) return;
    const startSeconds = this.#toSeconds(profilingStartNs);
    const infos = new Map(this.#run.endpoints.map(({ url, info }) => [url, info]));
    for (const { name, endpointUrl, labels, stats } of series) {
      if (!(stats as { readonly created_in_run?: unknown }).created_in_run) continue;
      const { median_update_interval_ms: milliseconds, first_fetch_ns: firstNs } =
        infos.get(endpointUrl) ?? {};
      const interval = milliseconds == null ? defaultInterval : milliseconds / 1000;
      // A server that started in the run has no data before its first scrape.
      const joinedSeconds = firstNs === undefined ? startSeconds : this.#toSeconds(firstNs) - interval;
      const periodStart = Math.max(startSeconds, joinedSeconds);
      const history = { ...this.#endpoints.get(endpointUrl), creation: { periodStart, interval } };
      this.#created.set(toKey(name, endpointUrl, formatLabels(Object.entries(labels))), history);
    }
  }

  /** Returns the history of a series. */
  get(name: string, endpointUrl: string, labels: string): SampleHistory {
    return this.#created.get(toKey(name, endpointUrl, labels)) ?? this.#endpoints.get(endpointUrl) ?? {};
  }

  #toSeconds(ns: bigint): number {
    return Number(ns - this.#startNs) / 1e9;
  }
}

/** Formats labels as a key. Missing and empty labels are equal. */
export function formatLabels(labels: readonly (readonly [name: string, value: string | null])[]): string {
  return labels
    .flatMap(([name, value]) => (value ? `${name}=${value}` : []))
    .sort()
    .join('\u0000');
}

function toKey(name: string, endpointUrl: string, labels: string): string {
  return [name, endpointUrl, labels].join('\n');
}
