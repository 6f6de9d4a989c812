import { CREATED_SUFFIX, isEvidence } from '../layout/evidence.ts';
import { formatLabelsKey } from '../layout/labels.ts';
import { getPrimarySlot, type ScalarSeries, type Series, type Slot } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import { lowerBound, upperBound } from '../store/timeline.ts';
import { ProcessIndex } from './processIndex.ts';
import type { Period } from './window.ts';

/**
 * Evidence from the scrapes of an endpoint that a single process returned complete pages. Times are in ns since the
 * timeline's origin.
 */
export interface ScrapeEvidence {
  /** Time ranges in which scrapes failed; the end of an outage that did not end is Infinity. */
  readonly outagesNs: readonly (readonly [fromNs: number, toNs: number])[];
  /** Times at which the address of the server changed. */
  readonly addressChangesNs: readonly number[];
  /** False if scrapes had invalid lines, or if not all outages and address changes are listed. */
  readonly isComplete: boolean;
}

/** The reason why the first value of a series cannot be counted: the series may have existed before. */
export type UnknownStart =
  | 'no_evidence'
  | 'scrape_failed'
  | 'server_changed'
  | 'intermittent'
  | 'process_joined'
  | 'created_before';

/** Returns the times at which counters were reset in the period, in ns since the timeline's origin. */
type ListResets = () => readonly number[];

/** The creation of a series in the period, or the reason why it is unknown. */
export type Creation = { readonly absentNs: number } | { readonly unknown: UnknownStart };

/** Maximum difference between the clocks of the server and of this machine, in ns. */
const MAX_CLOCK_SKEW_NS = 100e6;

/**
 * Finds out whether series of an endpoint were created in the period. The series must be absent from the last scrape
 * before the period and all later scrapes until it appears. All these scrapes must be complete and come from one
 * process, and from then on the series must stay. See docs/decisions/0004-reference-sample-and-period.md.
 */
export class CreationFinder {
  readonly #store: EndpointStore;
  readonly #offsetsNs: Float64Array;
  readonly #startNs: number;
  /** The frames of the period: the first, and the one after the last. */
  readonly #start: number;
  readonly #end: number;
  readonly #evidence: ScrapeEvidence | undefined;
  readonly #restartsNs: readonly number[];
  readonly #listResets: ListResets;
  #resetsNs: readonly number[] | undefined;
  /** Frames in which a series of the family is absent although it was in the previous frame, by family. */
  readonly #losses = new Map<string, ReadonlySet<number>>();
  #createdSlots: ReadonlyMap<string, Slot> | undefined;
  #processes: ProcessIndex | undefined;
  #firstNewSeries: number | undefined;

  constructor(
    store: EndpointStore,
    period: Period,
    evidence: ScrapeEvidence | undefined,
    restartsNs: readonly number[],
    listResets: ListResets,
  ) {
    this.#store = store;
    this.#offsetsNs = store.timeline().offsetsNs;
    this.#startNs = period.startNs;
    this.#start = lowerBound(this.#offsetsNs, period.startNs);
    this.#end = upperBound(this.#offsetsNs, period.endNs);
    this.#evidence = evidence;
    this.#restartsNs = restartsNs;
    this.#listResets = listResets;
  }

  /** Returns the counters, histograms and summaries that first appeared in the period, after a scrape without them. */
  listNewSeries(): readonly Series[] {
    if (this.#start === 0) return [];
    return this.#store.layout.series
      .slice(this.#findFirstNewSeries())
      .filter(series => isCumulative(series) && this.#findFirstFrame(series) !== undefined);
  }

  /** Returns the creation of a series; undefined if the series is not new in the period. */
  find(series: Series): Creation | undefined {
    if (!isCumulative(series) || this.#isOld(series)) return undefined;
    // Without a scrape before the period, only the start of a process can show that a series is new.
    if (this.#start === 0 && !this.#getProcesses().hasClocks) return undefined;
    const first = this.#findFirstFrame(series);
    if (first === undefined) return undefined;
    const startNs = this.#findNewProcess(first);
    if (startNs !== undefined && !this.#disappears(series, first)) return { absentNs: startNs };
    if (this.#start === 0) return undefined;
    const unknown = this.#findDoubt(series, first);
    return unknown === undefined ? { absentNs: this.#offsetsNs[first - 1]! } : { unknown };
  }

  /**
   * Returns the time at which the counters of a page were 0, if all of its processes started in the period, such as a
   * server that was replaced: the start of the process, or the last scrape before the page.
   */
  #findNewProcess(first: number): number | undefined {
    const startNs = this.#getProcesses().findEarliestStart(first);
    const baselineNs = this.#start === 0 ? this.#startNs : this.#offsetsNs[this.#start - 1]!;
    if (startNs === undefined || startNs <= baselineNs + MAX_CLOCK_SKEW_NS) return undefined;
    return Math.min(this.#offsetsNs[first]!, Math.max(startNs, this.#offsetsNs[first - 1] ?? startNs));
  }

  #getProcesses(): ProcessIndex {
    this.#processes ??= new ProcessIndex(this.#store);
    return this.#processes;
  }

  #findDoubt(series: Series, first: number): UnknownStart | undefined {
    const evidence = this.#evidence;
    if (evidence === undefined || !evidence.isComplete) return 'no_evidence';
    const baselineNs = this.#offsetsNs[this.#start - 1]!;
    const firstNs = this.#offsetsNs[first]!;
    if (evidence.outagesNs.some(([fromNs, toNs]) => fromNs < firstNs && toNs > baselineNs))
      return 'scrape_failed';
    const isBetween = (timeNs: number): boolean => timeNs > baselineNs && timeNs <= firstNs;
    this.#resetsNs ??= this.#listResets();
    const changes = [evidence.addressChangesNs, this.#restartsNs, this.#resetsNs];
    if (changes.some(times => times.some(isBetween))) return 'server_changed';
    if (this.#isIntermittent(series, first)) return 'intermittent';
    if (this.#wasCreatedBefore(series, first)) return 'created_before';
    return this.#findDoubtAboutProcess(series, first);
  }

  /**
   * Returns a doubt if the process of a series joined the page with it, as a worker of a router may. Such a process may
   * be older than the series, unless its start time or uptime proves the opposite.
   */
  #findDoubtAboutProcess(series: Series, first: number): UnknownStart | undefined {
    const startNs = this.#getProcesses().findStart(series, first);
    if (startNs === 'known') return undefined;
    if (startNs === undefined) return 'process_joined';
    return startNs < this.#findSentNs(first - 1) - MAX_CLOCK_SKEW_NS ? 'created_before' : undefined;
  }

  /**
   * Reports whether the series is absent again from a later scrape, or whether other series of its family disappeared
   * when it appeared. Such a page may come from several processes.
   */
  #isIntermittent(series: Series, first: number): boolean {
    return this.#findFamilyLosses(series.family.name).has(first) || this.#disappears(series, first);
  }

  /** Reports whether a series is absent from a scrape after its first, except after a restart. */
  #disappears(series: Series, first: number): boolean {
    const column = this.#store.column(getPrimarySlot(series), first, this.#end);
    for (let row = 1; row < column.length; row++) {
      if (!Number.isNaN(column[row]!) || Number.isNaN(column[row - 1]!)) continue;
      const [previousNs, timeNs] = [this.#offsetsNs[first + row - 1]!, this.#offsetsNs[first + row]!];
      if (!this.#restartsNs.some(restartNs => restartNs > previousNs && restartNs <= timeNs)) return true;
    }
    return false;
  }

  #findFamilyLosses(name: string): ReadonlySet<number> {
    const cached = this.#losses.get(name);
    if (cached) return cached;
    const losses = new Set<number>();
    const from = Math.max(0, this.#start - 1);
    for (const series of this.#store.layout.series) {
      if (series.family.name !== name) continue;
      const column = this.#store.column(getPrimarySlot(series), from, this.#end);
      for (let row = 1; row < column.length; row++)
        if (Number.isNaN(column[row]!) && !Number.isNaN(column[row - 1]!)) losses.add(from + row);
    }
    this.#losses.set(name, losses);
    return losses;
  }

  /** Reports whether the creation time of a series is before the last scrape without it was sent. */
  #wasCreatedBefore({ family, labels }: Series, first: number): boolean {
    this.#createdSlots ??= indexCreatedSlots(this.#store);
    const slot = this.#createdSlots.get(formatKey(`${family.name}${CREATED_SUFFIX}`, labels));
    if (slot === undefined) return false;
    const createdNs = this.#store.column(slot, first, first + 1)[0]! * 1e9;
    const originNs = Number(this.#store.timeline().originNs);
    return createdNs - originNs < this.#findSentNs(first - 1) - MAX_CLOCK_SKEW_NS;
  }

  /** Returns the time at which a scrape was sent. */
  #findSentNs(frame: number): number {
    return this.#offsetsNs[frame]! - this.#store.latenciesNs()[frame]!;
  }

  /** Returns the first frame of the period with a sample; undefined if there is none, or if there is an earlier one. */
  #findFirstFrame(series: Series): number | undefined {
    const slot = getPrimarySlot(series);
    if (hasValue(this.#store.column(slot, 0, this.#start))) return undefined;
    const row = this.#store.column(slot, this.#start, this.#end).findIndex(value => !Number.isNaN(value));
    return row < 0 ? undefined : this.#start + row;
  }

  #isOld(series: Series): boolean {
    const firstNew = this.#store.layout.series[this.#findFirstNewSeries()];
    return firstNew === undefined || getPrimarySlot(series) < getPrimarySlot(firstNew);
  }

  /** Returns the index of the first series that appeared in the period. A layout lists series in order of appearance. */
  #findFirstNewSeries(): number {
    if (this.#firstNewSeries !== undefined) return this.#firstNewSeries;
    const { series } = this.#store.layout;
    let low = 0;
    let high = series.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (hasValue(this.#store.column(getPrimarySlot(series[middle]!), 0, this.#start))) low = middle + 1;
      else high = middle;
    }
    this.#firstNewSeries = low;
    return low;
  }
}

/** Reports whether a series counts from its creation on. */
export function isCumulative({ kind, family }: Series): boolean {
  return kind !== 'scalar' || family.type === 'counter';
}

function hasValue(column: Float64Array): boolean {
  return column.some(value => !Number.isNaN(value));
}

function indexCreatedSlots({ layout }: EndpointStore): ReadonlyMap<string, Slot> {
  const evidence = layout.series.filter((series): series is ScalarSeries => isEvidence(series.family));
  return new Map(evidence.map(({ family, labels, value }) => [formatKey(family.name, labels), value]));
}

function formatKey(name: string, labels: Series['labels']): string {
  return `${name} ${formatLabelsKey(labels)}`;
}
