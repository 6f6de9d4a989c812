import { isEvidence, isUptimeName } from '../layout/evidence.ts';
import type { Layout, Series, Slot } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';

/** The standard metric for the start time of a process, in seconds since 1970. */
export const START_TIME_METRIC = 'process_start_time_seconds';
/**
 * Minimum change of the start time, in seconds, that counts as a restart. Smaller changes are clock
 * adjustments: some systems derive the start time from the wall clock.
 */
const MIN_START_DIFFERENCE_S = 1;

/** Returns the value of a slot in the current scrape; NaN if it is absent. */
export type ReadValue = (slot: Slot) => number;

/**
 * Detects restarts of a server by its own account: the start time of its process changes, or its uptime falls. Reads
 * only these metrics, one scrape at a time.
 */
export class RestartDetector {
  readonly #layout: Layout;
  readonly #clocks = new Map<string, ProcessClock>();
  #seriesCount = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Reports whether the server restarted since the previous scrape. */
  observe(read: ReadValue): boolean {
    this.#addNewSeries();
    let hasRestarted = false;
    for (const clock of this.#clocks.values()) hasRestarted = clock.observe(read) || hasRestarted;
    return hasRestarted;
  }

  #addNewSeries(): void {
    const { series } = this.#layout;
    for (; this.#seriesCount < series.length; this.#seriesCount++) {
      const added = series[this.#seriesCount]!;
      const isRestart = findRestartRule(added);
      if (isRestart === undefined || added.kind !== 'scalar') continue;
      const clock = this.#clocks.get(added.family.name) ?? new ProcessClock(isRestart);
      this.#clocks.set(added.family.name, clock);
      clock.slots.push(added.value);
    }
  }
}

/** Returns the times of the first scrapes after restarts, in ns since the timeline's origin. */
export function findRestarts(store: EndpointStore): readonly number[] {
  const columns = new Map<Slot, Float64Array>();
  const detector = new RestartDetector(store.layout);
  const restarts: number[] = [];
  store.timeline().offsetsNs.forEach((timeNs, frame) => {
    const hasRestarted = detector.observe(slot => {
      const column = columns.get(slot) ?? store.column(slot);
      columns.set(slot, column);
      return column[frame]!;
    });
    if (hasRestarted) restarts.push(timeNs);
  });
  return restarts;
}

type RestartRule = (previous: number, current: number) => boolean;

const hasNewStart: RestartRule = (previous, current) => Math.abs(current - previous) > MIN_START_DIFFERENCE_S;
const hasFallen: RestartRule = (previous, current) => current < previous;

function findRestartRule({ family, labels }: Series): RestartRule | undefined {
  if (family.name === START_TIME_METRIC) return labels.length === 0 ? hasNewStart : undefined;
  return isEvidence(family) && isUptimeName(family.name) ? hasFallen : undefined;
}

/** The start time or the uptime of one process, or of several processes with one series each. */
class ProcessClock {
  readonly slots: Slot[] = [];
  readonly #isRestart: RestartRule;
  #previous: ReadonlyMap<Slot, number> = new Map();

  constructor(isRestart: RestartRule) {
    this.#isRestart = isRestart;
  }

  /** Compares the values with those of the previous scrape that had any. */
  observe(read: ReadValue): boolean {
    const current = new Map<Slot, number>();
    for (const slot of this.slots) {
      const value = read(slot);
      if (Number.isFinite(value)) current.set(slot, value);
    }
    if (current.size === 0) return false;
    const previous = this.#previous;
    this.#previous = current;
    // The labels of a single process may change with every start, such as Dynamo's worker_id.
    if (current.size === 1 && previous.size === 1)
      return this.#isRestart([...previous.values()][0]!, [...current.values()][0]!);
    return [...current].some(([slot, value]) => this.#isRestart(previous.get(slot) ?? Number.NaN, value));
  }
}
