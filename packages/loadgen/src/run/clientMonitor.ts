import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { RequestRecord } from '../requestRecord.ts';
import type { ClientStats } from './loadWarning.ts';
import { addTemplateProblem, type TemplateProblems } from './templateProblems.ts';
import { TimeHistogram, toTimeStats } from './timeHistogram.ts';

/** Measures in each phase whether the client keeps up with its load. */
export class ClientMonitor {
  readonly #eventLoop = new EventLoopMonitor();
  #sendDelays = new TimeHistogram();
  #firstTokens = new TimeHistogram();
  #missingEndMarkers = 0;
  #templateProblems: TemplateProblems | undefined;

  /** Starts measuring a phase and discards the measurements of the previous phase. */
  start(): void {
    this.#eventLoop.start();
    this.#sendDelays = new TimeHistogram();
    this.#firstTokens = new TimeHistogram();
    this.#missingEndMarkers = 0;
    this.#templateProblems = undefined;
  }

  /** Stops measuring the event loop and returns its statistics. */
  stop(): Pick<ClientStats, 'eventLoopDelay' | 'utilization'> {
    return this.#eventLoop.stop();
  }

  addSendDelay(delayNs: number): void {
    this.#sendDelays.add(delayNs);
  }

  addRecord(record: RequestRecord): void {
    const responseNs = measureResponse(record);
    if (responseNs !== undefined) this.#firstTokens.add(responseNs);
    if (record.missingEndMarker) this.#missingEndMarkers += 1;
    if (record.templateProblem !== undefined)
      this.#templateProblems = addTemplateProblem(this.#templateProblems, record.templateProblem);
  }

  /** Returns the measurements of requests since {@link start}. */
  computeRequestStats(): Required<
    Pick<ClientStats, 'sendDelay' | 'medianFirstTokenNs' | 'missingEndMarkers'>
  > &
    Pick<ClientStats, 'templateProblems'> {
    return {
      sendDelay: this.#sendDelays.computeStats(),
      medianFirstTokenNs: this.#firstTokens.computeStats().p50Ns,
      missingEndMarkers: this.#missingEndMarkers,
      ...(this.#templateProblems ? { templateProblems: this.#templateProblems } : {}),
    };
  }
}

/**
 * Returns the time to first token, or the latency of a response that was not streamed, in ns; undefined if the request
 * failed before.
 */
export function measureResponse({
  firstTokenNs,
  startNs,
  endNs,
  failure,
}: RequestRecord): number | undefined {
  if (firstTokenNs !== undefined) return firstTokenNs - startNs;
  return failure === undefined ? endNs - startNs : undefined;
}

/** Interval of the timer whose lateness is measured, in ms. */
const INTERVAL_MS = 2;

/** Measures the delay of the event loop, which makes the timestamps of its events late by the same amount. */
class EventLoopMonitor {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  #startUtilization: ReturnType<typeof performance.eventLoopUtilization> = performance.eventLoopUtilization();

  /** Starts a new measurement. */
  start(): void {
    this.#histogram.enable();
    this.#histogram.reset();
    this.#startUtilization = performance.eventLoopUtilization();
  }

  /** Ends the measurement. Returns the event-loop delay and the utilization of the loop, from 0 to 1. */
  stop(): Pick<ClientStats, 'eventLoopDelay' | 'utilization'> {
    const { utilization } = performance.eventLoopUtilization(this.#startUtilization);
    this.#histogram.disable();
    return { eventLoopDelay: toTimeStats(this.#histogram, INTERVAL_MS * 1e6), utilization };
  }
}
