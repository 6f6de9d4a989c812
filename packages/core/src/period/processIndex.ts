import { isEvidence, isUptimeName } from '../layout/evidence.ts';
import { getPrimarySlot, type Series } from '../layout/layout.ts';
import type { EndpointStore } from '../store/endpointStore.ts';
import { START_TIME_METRIC } from './restarts.ts';

/** Labels that name a process, in lower case and without separators. */
const PROCESS_LABEL =
  /^(?:pid|processid|process|(?:router)?worker(?:id|addr|address)?|instance(?:id)?|replica(?:id)?|pod(?:name)?|hostname)$/;

/** The processes whose metrics are on the page of an endpoint. Times are in ns since the timeline's origin. */
export class ProcessIndex {
  readonly #store: EndpointStore;
  /** Start times and uptimes of processes. */
  readonly #clocks: readonly Series[];
  /** The series of each process, by the label that names it, in order of appearance. */
  readonly #series = new Map<string, Series[]>();

  constructor(store: EndpointStore) {
    this.#store = store;
    this.#clocks = store.layout.series.filter(isClock);
    for (const series of store.layout.series)
      for (const key of listProcesses(series)) {
        const list = this.#series.get(key);
        if (list) list.push(series);
        else this.#series.set(key, [series]);
      }
  }

  /** True if the endpoint has start times or uptimes of processes. */
  get hasClocks(): boolean {
    return this.#clocks.length > 0;
  }

  /** Returns the earliest start of all processes on a page; undefined if no start is known. */
  findEarliestStart(frame: number): number | undefined {
    return this.#readStart(this.#clocks, frame);
  }

  /**
   * Finds the start of the process that a series belongs to. Returns `known` if the series names no process, or if its
   * process was already on the page before the series first appeared; undefined if the start is unknown.
   */
  findStart(series: Series, firstFrame: number): number | 'known' | undefined {
    const joined = listProcesses(series)
      .map(key => this.#series.get(key)!)
      .filter(([oldest]) => Number.isNaN(this.#read(oldest!, firstFrame - 1)));
    if (joined.length === 0) return 'known';
    const starts = joined.map(ofProcess => this.#readStart(ofProcess.filter(isClock), firstFrame));
    return starts.includes(undefined) ? undefined : findEarliest(starts as number[]);
  }

  /** Returns the earliest start according to start times and uptimes; undefined if the page contains none of them. */
  #readStart(clocks: readonly Series[], frame: number): number | undefined {
    const starts = clocks
      .map(clock => this.#toStart(clock, this.#read(clock, frame), frame))
      .filter(start => !Number.isNaN(start));
    return starts.length === 0 ? undefined : findEarliest(starts);
  }

  /** Returns the start according to a clock whose value in a frame is `seconds`; NaN if the clock does not run. */
  #toStart(clock: Series, seconds: number, frame: number): number {
    const { originNs, offsetsNs } = this.#store.timeline();
    if (clock.family.name === START_TIME_METRIC) return seconds * 1e9 - Number(originNs);
    const uptimes = this.#store.column(getPrimarySlot(clock), frame);
    // An uptime may be updated rarely, so that it is too small. The earliest start is the most exact one.
    const starts = uptimes
      .map((uptime, row) => offsetsNs[frame + row]! - uptime * 1e9)
      .filter(start => !Number.isNaN(start));
    return uptimes.some(uptime => uptime > seconds) ? findEarliest(starts) : Number.NaN;
  }

  #read(series: Series, frame: number): number {
    return this.#store.column(getPrimarySlot(series), frame, frame + 1)[0]!;
  }
}

/** Returns a key for each process that the labels of a series name. */
function listProcesses({ labels }: Series): string[] {
  return labels.flatMap(([name, value]) =>
    PROCESS_LABEL.test(name.toLowerCase().replaceAll(/[_.-]/g, '')) ? [`${name}=${value}`] : [],
  );
}

function findEarliest(times: ArrayLike<number>): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < times.length; at++) earliest = Math.min(earliest, times[at]!);
  return earliest;
}

function isClock({ family }: Series): boolean {
  return family.name === START_TIME_METRIC || (isEvidence(family) && isUptimeName(family.name));
}
