import { type LoadName, namedLoad } from './load.ts';
import { defaultSimulatorOptions, type SimulatorOptions } from './options.ts';
import { Simulation } from './simulation.ts';
import type { Mark, Truth } from './truth.ts';

/** What to simulate and how to scrape it. */
export interface TraceOptions
  extends Partial<Omit<SimulatorOptions, 'load' | 'arrivalRate' | 'recordTruth'>> {
  /** Length of the trace in seconds. */
  readonly durationS: number;
  /** Time between scrapes in ms; 333 without it. */
  readonly intervalMs?: number;
  /** How the arrivals go; `steady` without it. */
  readonly load?: LoadName;
  /** The rate (requests/s) that the load's shares refer to; a default for one engine with the default model and workload. */
  readonly capacity?: number;
  /** Which page is scraped; the first that is text without it. */
  readonly page?: string;
}

/** One scrape of a simulated server. */
export interface TraceScrape {
  /** Simulated wall time, ns since 1970. */
  readonly timestampNs: bigint;
  readonly body: string;
}

/** Scrapes of a simulated server, made as they are read, and what really happened between them. */
export interface Trace extends Iterable<TraceScrape> {
  /** The simulation; it has got as far as the last scrape that was read. */
  readonly simulation: Simulation;
  /**
   * What happened after one scrape (by index; -1 or nothing for the start) and up to another (by default the
   * last that was read): exactly what the difference of their bodies tells of. Throws for a scrape not yet read.
   */
  truth(after?: number, upTo?: number): Truth;
}

/** Requests/s that one engine with default options can sustain with the default workload; found by trial. */
const defaultCapacity = 42;

/**
 * A run in simulated time, scraped at a steady interval from the start to the end of it, both included.
 *
 * Under `overload` the cache is made small, unless `kvBlocks` says otherwise, so that requests are preempted.
 * Read it once: time does not go back. Throws for a duration or interval that is not above 0.
 */
export function simulatedTrace(options: TraceOptions): Trace {
  const { durationS, intervalMs = 333, load = 'steady', page, ...rest } = options;
  if (!(durationS > 0)) throw new RangeError(`durationS is ${durationS}; a number above 0 is accepted`);
  if (!(intervalMs > 0)) throw new RangeError(`intervalMs is ${intervalMs}; a number above 0 is accepted`);
  const { engines = defaultSimulatorOptions.engines, speed = defaultSimulatorOptions.speed } = rest;
  const capacity = options.capacity ?? defaultCapacity * engines * speed;
  const simulation = new Simulation({
    ...(load === 'overload' && { kvBlocks: 2000 }),
    ...rest,
    recordTruth: true,
    load: namedLoad(load, durationS, capacity),
  });
  const marks: Mark[] = [];
  return {
    simulation,
    *[Symbol.iterator]() {
      const durationNs = durationS * 1e9;
      for (let i = 0; i * intervalMs * 1e6 <= durationNs; i++) {
        simulation.advanceTo(Math.round(i * intervalMs * 1e6));
        marks.push(simulation.mark());
        yield { timestampNs: simulation.timeNs, body: simulation.page(page).read('').body };
      }
    },
    truth(after = -1, upTo = marks.length - 1) {
      return simulation.truth(after < 0 ? undefined : readMark(marks, after), readMark(marks, upTo));
    },
  };
}

function readMark(marks: readonly Mark[], index: number): Mark {
  const mark = marks[index];
  if (!mark) throw new RangeError(`scrape ${index} has not been read; ${marks.length} have`);
  return mark;
}
