import {
  type EndedRequest,
  type MetricBlock,
  ProfileMetrics,
  type ProfileMetricsOptions,
  type RequestMetrics,
} from './profilemetrics.ts';

/** The requests that began in one slice of the profiling period. Times are ns of the run. */
export interface MetricSlice {
  readonly index: number;
  readonly startNs: number;
  readonly endNs: number;
  /** False when the period ended inside the slice. */
  readonly isComplete: boolean;
  readonly blocks: Readonly<Record<string, MetricBlock>>;
}

/** Values of a metric that are kept one by one in each slice. */
const EXACT_VALUES = 10_000;

/**
 * Metrics slice by slice: a request belongs to floor((its start − the start of the period) / length of a slice), as in the
 * server's timeslices, so that the two can be joined. Rates are by the length of the slice.
 */
export class SliceMetrics {
  readonly #lengthNs: number;
  readonly #options: ProfileMetricsOptions;
  readonly #slices = new Map<number, ProfileMetrics>();

  constructor(lengthNs: number, options: ProfileMetricsOptions) {
    this.#lengthNs = lengthNs;
    this.#options = { exactValues: EXACT_VALUES, ...options };
  }

  /** `startNs`: where the profiling period began, ns of the run. */
  add(record: EndedRequest, measured: RequestMetrics, startNs: number): void {
    const index = Math.max(0, Math.floor((record.startNs - startNs) / this.#lengthNs));
    let metrics = this.#slices.get(index);
    if (!metrics) {
      metrics = new ProfileMetrics(this.#options);
      this.#slices.set(index, metrics);
    }
    metrics.add(record, measured);
  }

  /**
   * The slices in which requests began, in order. All times are ns of the run. `lastStartNs`: where the servers' last slice
   * begins. They make none of a rest that is shorter than their scrapes are apart: what began in it belongs to the slice before.
   */
  slices(startNs: number, endNs: number, lastStartNs?: number): MetricSlice[] {
    if (lastStartNs !== undefined) this.#joinRest(Math.round((lastStartNs - startNs) / this.#lengthNs));
    return [...this.#slices]
      .sort(([a], [b]) => a - b)
      .map(([index, metrics]) => {
        const from = startNs + index * this.#lengthNs;
        const full = from + this.#lengthNs;
        const to = Math.min(full, Math.max(endNs, from + 1));
        return {
          index,
          startNs: from,
          endNs: to,
          isComplete: to === full,
          blocks: metrics.blocks(to - from),
        };
      });
  }

  /** `last`: number of the last slice that the servers have. */
  #joinRest(last: number): void {
    const rest = this.#slices.get(last + 1);
    if (last < 0 || !rest || Math.max(...this.#slices.keys()) > last + 1) return;
    const before = this.#slices.get(last) ?? new ProfileMetrics(this.#options);
    if (!before.include(rest)) return;
    this.#slices.set(last, before);
    this.#slices.delete(last + 1);
  }
}
