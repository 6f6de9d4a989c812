import { getPrimarySlot, type Series } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import { lowerBound } from '../store/timeline.ts';
import { CreationFinder, isCumulative, type ScrapeEvidence, type UnknownStart } from './creation.ts';
import { countFalls, findGaugeLikeCounters } from './gaugeLike.ts';
import { findRestarts } from './restarts.ts';
import type { SeriesHistory } from './seriesHistory.ts';
import type { Period } from './window.ts';

/** What is known about the starts of an endpoint's series, in addition to its frames. */
export interface StartKnowledge {
  /** Evidence that pages are complete; without it, no series counts from 0. */
  readonly evidence?: ScrapeEvidence;
  /** Restarts that were detected during the run, in ns since the timeline's origin. */
  readonly restartsNs?: readonly number[];
  /** Reports whether an earlier export of the run found that a series was created in the run. Replaces `evidence`. */
  readonly wasCreated?: (series: Series) => boolean;
}

/** The histories of the series of one endpoint in one period, computed on demand. */
export class SeriesHistories {
  readonly #store: EndpointStore;
  readonly #period: Period;
  readonly #wasCreated: StartKnowledge['wasCreated'];
  readonly #recordedRestartsNs: readonly number[];
  readonly #evidence: ScrapeEvidence | undefined;
  /** Results of `#findAbsentNs`. Each export needs them. */
  readonly #absentNs = new Map<Series, number | undefined>();
  #restartsNs: readonly number[] | undefined;
  #creations: CreationFinder | undefined;
  #gaugeLike: ReadonlySet<Series> | undefined;

  constructor(
    store: EndpointStore,
    period: Period,
    { evidence, restartsNs = [], wasCreated }: StartKnowledge = {},
  ) {
    this.#store = store;
    this.#period = period;
    this.#evidence = evidence;
    this.#recordedRestartsNs = restartsNs;
    this.#wasCreated = wasCreated;
  }

  /** Returns the history of a series; empty for gauges and series of unknown type. */
  get(series: Series): SeriesHistory {
    if (!isCumulative(series)) return {};
    const absentNs = this.#getAbsentNs(series);
    return {
      restartsNs: this.#getRestartsNs(),
      ...(absentNs === undefined ? {} : { absentNs }),
      isGaugeLike: () => this.#isGaugeLike(series),
    };
  }

  /** Counts the series that first appeared in the period although they may have existed before, by reason. */
  countUnknownStarts(): ReadonlyMap<UnknownStart, number> {
    const counts = new Map<UnknownStart, number>();
    if (this.#wasCreated) return counts;
    for (const series of this.#getCreations().listNewSeries()) {
      const creation = this.#getCreations().find(series);
      if (creation && 'unknown' in creation)
        counts.set(creation.unknown, (counts.get(creation.unknown) ?? 0) + 1);
    }
    return counts;
  }

  /**
   * Returns the number of series that fall at a time in the period, without counters that behave like gauges; undefined
   * if there are no such counters.
   */
  countResets(): ReadonlyMap<number, number> | undefined {
    const gaugeLike = this.#getGaugeLike();
    return gaugeLike.size === 0 ? undefined : this.#countFalls();
  }

  #countFalls(): ReadonlyMap<number, number> {
    return countFalls(this.#store, this.#period, this.#getGaugeLike());
  }

  #getAbsentNs(series: Series): number | undefined {
    if (!this.#absentNs.has(series)) this.#absentNs.set(series, this.#findAbsentNs(series));
    return this.#absentNs.get(series);
  }

  #findAbsentNs(series: Series): number | undefined {
    if (this.#wasCreated) return this.#wasCreated(series) ? this.#findFrameBefore(series) : undefined;
    const creation = this.#getCreations().find(series);
    return creation && 'absentNs' in creation ? creation.absentNs : undefined;
  }

  /** Returns the time of the last frame before a series; undefined if the series existed before the period. */
  #findFrameBefore(series: Series): number | undefined {
    const { offsetsNs } = this.#store.timeline();
    const first = this.#store.column(getPrimarySlot(series)).findIndex(value => !Number.isNaN(value));
    if (first < lowerBound(offsetsNs, this.#period.startNs)) return undefined;
    return first === 0 ? Math.min(this.#period.startNs, offsetsNs[0]!) : offsetsNs[first - 1]!;
  }

  #isGaugeLike(series: Series): boolean {
    return this.#getGaugeLike().has(series);
  }

  #getGaugeLike(): ReadonlySet<Series> {
    this.#gaugeLike ??= findGaugeLikeCounters(this.#store, this.#period, this.#getRestartsNs());
    return this.#gaugeLike;
  }

  #getRestartsNs(): readonly number[] {
    this.#restartsNs ??= [...new Set([...findRestarts(this.#store), ...this.#recordedRestartsNs])].sort(
      (a, b) => a - b,
    );
    return this.#restartsNs;
  }

  #getCreations(): CreationFinder {
    this.#creations ??= new CreationFinder(
      this.#store,
      this.#period,
      this.#evidence,
      this.#getRestartsNs(),
      () => [...this.#countFalls().keys()],
    );
    return this.#creations;
  }
}
