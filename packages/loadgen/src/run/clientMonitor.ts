import type { RequestRecord } from '../requestRecord.ts';
import { EventLoopMonitor } from './eventLoopMonitor.ts';
import type { ClientStats } from './loadWarning.ts';
import { TimeHistogram } from './timeHistogram.ts';

/** Measures, phase by phase, whether the client keeps up with its load. */
export class ClientMonitor {
  readonly #eventLoop = new EventLoopMonitor();
  #sendDelays = new TimeHistogram();
  #firstTokens = new TimeHistogram();
  #missingEndMarkers = 0;

  /** Starts the measurement of a phase, discarding the previous one. */
  start(): void {
    this.#eventLoop.start();
    this.#sendDelays = new TimeHistogram();
    this.#firstTokens = new TimeHistogram();
    this.#missingEndMarkers = 0;
  }

  /** Stops measuring the event loop. */
  stop(): Pick<ClientStats, 'eventLoopDelay' | 'busy'> {
    const { delay, busy } = this.#eventLoop.stop();
    return { eventLoopDelay: delay, busy };
  }

  addSendDelay(delayNs: number): void {
    this.#sendDelays.add(delayNs);
  }

  addRecord({ firstTokenNs, startNs, missingEndMarker }: RequestRecord): void {
    if (firstTokenNs !== undefined) this.#firstTokens.add(firstTokenNs - startNs);
    if (missingEndMarker) this.#missingEndMarkers += 1;
  }

  /** Returns the measurements of requests since {@link start}. */
  requestStats(): Required<Pick<ClientStats, 'sendDelay' | 'medianFirstTokenNs' | 'missingEndMarkers'>> {
    return {
      sendDelay: this.#sendDelays.stats(),
      medianFirstTokenNs: this.#firstTokens.stats().p50Ns,
      missingEndMarkers: this.#missingEndMarkers,
    };
  }
}
