import { BLOCKS, estimateSlope, type Slope } from './slope.ts';

/** The state of a load at one time. */
export interface LoadSample {
  /** Time since the start of the load, in seconds. */
  readonly seconds: number;
  /** Number of requests sent so far. */
  readonly sent: number;
  /** Number of requests sent that have not ended. */
  readonly outstanding: number;
  /** Number of requests in the queues of the servers; undefined if no server reports it. */
  readonly waiting: number | undefined;
  /**
   * Mean time to first token of the requests that ended since the previous sample, or their latency without streaming, in
   * seconds; undefined without such requests.
   */
  readonly latency: number | undefined;
  /** The longest latency of all requests that have ended, in seconds; 0 without any. */
  readonly longestLatency: number;
}

/** Evidence that more requests arrive than the servers can process. */
export interface Evidence {
  /** `server_queue`: the queues of the servers. `client`: outstanding requests and latencies. */
  readonly signal: 'server_queue' | 'client';
  /** Time since the start of the load, in seconds. */
  readonly seconds: number;
  /** Length of the window in which the growth was measured, in seconds. */
  readonly windowSeconds: number;
  /** Growth of the queue, or of the outstanding requests, per second. */
  readonly growth: Slope;
  /** Number of requests in the queue, or outstanding, at the end of the window. */
  readonly requests: number;
  /** Growth of the latency in seconds per second; only for the signal `client`. */
  readonly latencyGrowth?: Slope;
}

/** The shortest window, in seconds: each of its 10 blocks contains a sample. */
export const MIN_WINDOW_SECONDS = 10;
/** Default of the minimum length of a window, in seconds, as in GuideLLM. */
export const DEFAULT_WINDOW_SECONDS = 30;
/**
 * Minimum growth of the latency, in seconds per second. The latency of requests that wait in a growing queue increases by the
 * fraction of the arrivals that the servers cannot process.
 */
const MIN_LATENCY_GROWTH = 0.1;
/** Maximum time between readings of the queues, in seconds. In a longer gap, the queues may have been empty. */
const MAX_GAP_SECONDS = 5;
/** Growth of the latency that cannot be the start of a load: the servers process less than 70% of the arrivals. */
const STEEP_LATENCY_GROWTH = 0.3;

/** Options of {@link SaturationRule}. */
export interface SaturationOptions {
  /** Minimum length of a window, in seconds. */
  readonly minSeconds?: number;
  /** Time until which the load is ramped up, in seconds. */
  readonly startSeconds?: number;
  /** The planned number of arrivals per second; the mean so far if it is unknown. */
  readonly rate?: number | undefined;
}

/**
 * Detects that more requests arrive than the servers can process. The queue of a server that keeps up becomes empty time and
 * again; the queue of an over-saturated server grows until the load ends.
 *
 * The growth of the queues is judged since they were last empty. The growth of the outstanding requests is judged in the second
 * half of the load, because it also grows while the first requests of a load are processed; the latency must grow, too. The
 * queues show it earlier, but not all servers report them.
 */
export class SaturationRule {
  readonly #minSeconds: number;
  readonly #startSeconds: number;
  readonly #rate: number | undefined;
  readonly #samples: LoadSample[] = [];
  /** The samples with a known queue since the queues were empty. A busy server may not respond to every scrape. */
  #queueSamples: LoadSample[] = [];

  constructor({ minSeconds = DEFAULT_WINDOW_SECONDS, startSeconds = 0, rate }: SaturationOptions = {}) {
    this.#minSeconds = minSeconds;
    this.#startSeconds = startSeconds;
    this.#rate = rate;
  }

  /** Adds a sample. Returns the evidence if the servers are certainly over-saturated. */
  add(sample: LoadSample): Evidence | undefined {
    if (sample.seconds < this.#startSeconds) return undefined;
    this.#samples.push(sample);
    this.#addQueue(sample);
    return this.#judgeQueue(sample) ?? this.#judgeClient(sample);
  }

  #addQueue(sample: LoadSample): void {
    if (sample.waiting === undefined) return;
    const last = this.#queueSamples.at(-1);
    const isGap = last !== undefined && sample.seconds - last.seconds > MAX_GAP_SECONDS;
    if (sample.waiting === 0 || isGap) this.#queueSamples = [];
    if (sample.waiting > 0) this.#queueSamples.push(sample);
  }

  #judgeQueue({ seconds, waiting }: LoadSample): Evidence | undefined {
    if (waiting === undefined) return undefined;
    const window = this.#queueSamples;
    const windowSeconds = measure(window);
    if (windowSeconds < this.#minSeconds) return undefined;
    const growth = estimateGrowth(window, windowSeconds, sample => sample.waiting!);
    if (growth.low <= 0 || this.#keepsUp(window, windowSeconds)) return undefined;
    return { signal: 'server_queue', seconds, windowSeconds, growth, requests: waiting };
  }

  #judgeClient({ seconds, outstanding, longestLatency }: LoadSample): Evidence | undefined {
    const middle = (this.#startSeconds + seconds) / 2;
    const window = this.#samples.slice(this.#samples.findIndex(sample => sample.seconds >= middle));
    const windowSeconds = measure(window);
    if (windowSeconds < this.#minSeconds) return undefined;
    const growth = estimateGrowth(window, windowSeconds, sample => sample.outstanding);
    if (growth.low <= 0 || this.#keepsUp(window, windowSeconds)) return undefined;
    const latencyGrowth = estimateLatencyGrowth(window, windowSeconds);
    if (latencyGrowth === undefined || latencyGrowth.low < MIN_LATENCY_GROWTH) return undefined;
    const hasStarted = seconds - this.#startSeconds >= 2 * longestLatency;
    if (!hasStarted && latencyGrowth.low < STEEP_LATENCY_GROWTH) return undefined;
    return { signal: 'client', seconds, windowSeconds, growth, requests: outstanding, latencyGrowth };
  }

  /**
   * Reports whether the servers may process as many requests as arrive on average. A queue also grows during a burst of
   * arrivals, which the servers process later.
   */
  #keepsUp(window: readonly LoadSample[], windowSeconds: number): boolean {
    const [first] = this.#samples;
    const last = window.at(-1)!;
    const rate = this.#rate ?? (last.sent - first!.sent) / (last.seconds - first!.seconds);
    const surplus = estimateGrowth(
      window,
      windowSeconds,
      ({ seconds, sent, outstanding }) => rate * seconds - (sent - outstanding),
    );
    return surplus.low <= 0;
  }
}

function measure(window: readonly LoadSample[]): number {
  return window.length === 0 ? 0 : window.at(-1)!.seconds - window[0]!.seconds;
}

/** Divides a window into blocks, and lists the samples of each block. */
function divide(window: readonly LoadSample[], windowSeconds: number): LoadSample[][] {
  const start = window[0]!.seconds;
  const blocks: LoadSample[][] = Array.from({ length: BLOCKS }, () => []);
  for (const sample of window) {
    const block = Math.floor(((sample.seconds - start) / windowSeconds) * BLOCKS);
    blocks[Math.min(BLOCKS - 1, block)]!.push(sample);
  }
  return blocks;
}

/** Estimates the growth of a number of requests. Its increments vary at least as much as random arrivals. */
function estimateGrowth(
  window: readonly LoadSample[],
  windowSeconds: number,
  read: (sample: LoadSample) => number,
): Slope {
  const arrivals = window.at(-1)!.sent - window[0]!.sent;
  const ends = divide(window, windowSeconds).flatMap(block => block.slice(-1));
  return estimateSlope([window[0]!, ...ends].map(read), windowSeconds / ends.length, arrivals / BLOCKS);
}

/** Estimates the growth of the mean latency of blocks; undefined if requests ended in fewer than three of them. */
function estimateLatencyGrowth(window: readonly LoadSample[], windowSeconds: number): Slope | undefined {
  const means = divide(window, windowSeconds).flatMap(block => {
    const values = block.flatMap(({ latency }) => (latency === undefined ? [] : [latency]));
    return values.length === 0 ? [] : [values.reduce((sum, value) => sum + value, 0) / values.length];
  });
  if (means.length < BLOCKS) return undefined;
  return estimateSlope(means, windowSeconds / BLOCKS);
}
