import {
  type EndedRequest,
  type MetricBlock,
  ProfileMetrics,
  type ProfileMetricsOptions,
  type RequestMetrics,
} from './profileMetrics.ts';

/** The requests that began in one slice of the profiling period. Times are ns of the run. */
export interface MetricSlice {
  readonly index: number;
  readonly startNs: number;
  readonly endNs: number;
  /** False when the period ended inside the slice. */
  readonly isComplete: boolean;
  readonly blocks: Readonly<Record<string, MetricBlock>>;
}

/** How far the servers' timeslices go. Times are ns of the run. */
export interface ServerSlices {
  /** Where their last one begins. */
  readonly lastStartNs: number;
  /** How far their scrapes are apart: they make no slice of a shorter rest. */
  readonly intervalNs: number;
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
   * The slices in which requests began, in order. Both ends of the period are ns of the run. What began in a rest of which
   * the servers make no slice belongs to the slice before.
   */
  slices(startNs: number, endNs: number, servers?: ServerSlices): MetricSlice[] {
    if (servers) this.#joinRest(startNs, endNs, servers);
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

  /** Only what is as short as that: a run that was killed has requests later than the last scrape, which may fill a slice. */
  #joinRest(startNs: number, endNs: number, { lastStartNs, intervalNs }: ServerSlices): void {
    // Where scrapes come later than slices are long, the servers' slices are from scrape to scrape.
    if (intervalNs > this.#lengthNs) return;
    const last = Math.round((lastStartNs - startNs) / this.#lengthNs);
    const rest = this.#slices.get(last + 1);
    if (last < 0 || !rest || [...this.#slices.keys()].some(index => index > last + 1)) return;
    if (endNs - (startNs + (last + 1) * this.#lengthNs) >= intervalNs) return;
    const before = this.#slices.get(last) ?? new ProfileMetrics(this.#options);
    if (!before.include(rest)) return;
    this.#slices.set(last, before);
    this.#slices.delete(last + 1);
  }
}
