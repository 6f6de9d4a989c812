import type { RunClock } from '../clock.ts';
import type { InFlightRequest } from './inFlightRequest.ts';

/** Number of connection failures in a row that are retried at once. */
const MAX_IMMEDIATE_RETRIES = 2;
/** First wait, which doubles with each further failure, and maximum wait, in ms. */
const MIN_WAIT_MS = 10;
const MAX_WAIT_MS = 1000;

/** The fields of an ended request that show whether its server responded. */
type EndedExchange = Pick<InFlightRequest, 'origin' | 'outcome'> & {
  readonly exchange: Pick<InFlightRequest['exchange'], 'status'>;
  readonly response: Pick<InFlightRequest['response'], 'failure'>;
};

/**
 * Waits of closed-loop slots after connection failures in a row, so that a server that is down is not flooded
 * with thousands of attempts per second. Failures are counted by server, until it responds.
 */
export class ConnectionBackOff {
  readonly #clock: RunClock;
  readonly #failures = new Map<string, number>();
  /** Start times of the current waits, in ns since the run's origin. */
  readonly #waits = new Map<NodeJS.Timeout, number>();
  #count = 0;
  #totalNs = 0;

  constructor(clock: RunClock) {
    this.#clock = clock;
  }

  /** Number of waits, including the current ones. */
  get count(): number {
    return this.#count;
  }

  /** Total duration of all waits that have ended, in ns. */
  get totalNs(): number {
    return this.#totalNs;
  }

  /** Number of slots that are waiting now. */
  get waiting(): number {
    return this.#waits.size;
  }

  /** Adds a request that has ended. Returns the time to wait before the next attempt, in ms; 0 for none. */
  add(request: EndedExchange): number {
    const { origin, exchange } = request;
    if (exchange.status !== undefined) this.#failures.delete(origin);
    if (!isConnectionFailure(request)) return 0;
    const failures = (this.#failures.get(origin) ?? 0) + 1;
    this.#failures.set(origin, failures);
    const doublings = failures - MAX_IMMEDIATE_RETRIES - 1;
    return doublings < 0 ? 0 : Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** doublings);
  }

  /** Calls `onEnd` after a wait of `ms`, unless {@link clear} is called before. */
  wait(ms: number, onEnd: () => void): void {
    const timer = setTimeout(() => {
      this.#end(timer);
      onEnd();
    }, ms);
    this.#count += 1;
    this.#waits.set(timer, this.#clock.nowNs());
  }

  /** Ends all waits without calling their callbacks. */
  clear(): void {
    for (const timer of this.#waits.keys()) this.#end(timer);
  }

  #end(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#totalNs += this.#clock.nowNs() - this.#waits.get(timer)!;
    this.#waits.delete(timer);
  }
}

/**
 * Reports whether a request failed without an HTTP response, for example because the connection was refused or
 * reset. A timeout is not a connection failure: the server may be overloaded.
 */
function isConnectionFailure({ outcome, exchange, response }: EndedExchange): boolean {
  return outcome === 'failed' && exchange.status === undefined && response.failure?.type !== 'RequestTimeout';
}
