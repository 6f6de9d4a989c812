import { Simulation } from './simulation.ts';
import { DEFAULT_SIMULATOR_OPTIONS, type SimulatorOptions } from './simulatorOptions.ts';
import { createNamedLoad, type LoadName } from './traffic/load.ts';
import type { Mark, Truth } from './truth.ts';

/** Options of {@link simulateTrace}. */
export interface TraceOptions
  extends Partial<Omit<SimulatorOptions, 'load' | 'arrivalRate' | 'recordTruth'>> {
  /** Length of the trace, in seconds. */
  readonly durationS: number;
  /** Scrape interval in ms; 333 by default. */
  readonly intervalMs?: number;
  /** Predefined load; `steady` by default. */
  readonly load?: LoadName;
  /**
   * Capacity that the load is scaled to, in requests/s; by default, the capacity of the engines with the
   * default model and workload.
   */
  readonly capacity?: number;
  /** Name of the page to scrape; by default, the first text page. */
  readonly page?: string;
}

/** One scrape of a simulated server. */
export interface TraceScrape {
  /** Simulated Unix time, in ns. */
  readonly timestampNs: bigint;
  readonly body: string;
}

/** Scrapes of a simulated server, generated during iteration, and the truth between any two of them. */
export interface Trace extends Iterable<TraceScrape> {
  /** The simulation. Iteration advances it to the time of each scrape. */
  readonly simulation: Simulation;
  /**
   * Returns the truth between two scrapes: exactly the requests and observations by which their bodies
   * differ. `after` and `upTo` are indices of scrapes. By default, `after` is the start of the simulation (-1)
   * and `upTo` the last scrape that was read. Throws RangeError for a scrape that has not been read.
   */
  getTruth(after?: number, upTo?: number): Truth;
}

/**
 * Requests/s that one engine with default options sustains under the default workload; determined
 * experimentally.
 */
const DEFAULT_CAPACITY = 42;

/**
 * Simulates a run that is scraped at a fixed interval, starting at 0 s.
 *
 * With the load `overload`, the cache is small so that requests are preempted, unless `kvBlocks` is set. The trace
 * can be iterated only once. Throws RangeError for a duration or interval that is not greater than 0.
 */
export function simulateTrace(options: TraceOptions): Trace {
  const { durationS, intervalMs = 333, load = 'steady', page, ...simulatorOptions } = options;
  if (!(durationS > 0))
    throw new RangeError(`invalid durationS ${durationS}: expected a number greater than 0`);
  if (!(intervalMs > 0))
    throw new RangeError(`invalid intervalMs ${intervalMs}: expected a number greater than 0`);
  const { engines = DEFAULT_SIMULATOR_OPTIONS.engines, speed = DEFAULT_SIMULATOR_OPTIONS.speed } =
    simulatorOptions;
  const capacity = options.capacity ?? DEFAULT_CAPACITY * engines * speed;
  const simulation = new Simulation({
    ...(load === 'overload' && { kvBlocks: 2000 }),
    ...simulatorOptions,
    recordTruth: true,
    load: createNamedLoad(load, durationS, capacity),
  });
  const marks: Mark[] = [];
  return {
    simulation,
    *[Symbol.iterator]() {
      const durationNs = durationS * 1e9;
      for (let i = 0; i * intervalMs * 1e6 <= durationNs; i++) {
        simulation.advanceTo(Math.round(i * intervalMs * 1e6));
        marks.push(simulation.mark());
        yield { timestampNs: simulation.timeNs, body: simulation.getPage(page).read('').body };
      }
    },
    getTruth(after = -1, upTo = marks.length - 1) {
      return simulation.getTruth(after < 0 ? undefined : getMark(marks, after), getMark(marks, upTo));
    },
  };
}

function getMark(marks: readonly Mark[], index: number): Mark {
  const mark = marks[index];
  if (!mark)
    throw new RangeError(`scrape ${index} has not been read; ${marks.length} scrapes have been read`);
  return mark;
}
