import { accumulateChanges, type CurveName, type Steps } from './curves.ts';
import { NumberColumn } from './numberColumn.ts';
import { sortOrder } from './sortOrder.ts';

/** A request in the curves. Times are in ns since the run's origin; absent values are NaN. */
export interface RequestInterval {
  readonly startNs: number;
  readonly firstTokenNs: number;
  readonly endNs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Gaps between the chunks of the response, in ns. */
  readonly gapsNs: readonly number[];
}

/** Kinds of events. The kind of a chunk's event is one of the last three, plus 3 for each earlier gap. */
const KIND = { start: 0, firstToken: 1, end: 2, chunk: 3, chunkRate: 4, chunkTokens: 5 } as const;

/** The events of all requests. */
interface Events {
  readonly times: Float64Array;
  readonly requests: Uint32Array;
  readonly kinds: Uint32Array;
}

/** Returns the change of a curve at an event. */
type Change = (request: number, kind: number) => number;

/**
 * The times and token counts of requests, and their effect on the curves of the load.
 *
 * Input tokens are spread evenly from the start to the first token. Output tokens after the first are spread over the
 * gaps between chunks, the same number in each gap; if no gaps are stored, evenly from the first token to the end.
 */
export class RequestIntervals {
  readonly #starts = new NumberColumn();
  readonly #firstTokens = new NumberColumn();
  readonly #ends = new NumberColumn();
  readonly #inputs = new NumberColumn();
  readonly #outputs = new NumberColumn();
  readonly #gaps = new NumberColumn();
  /** For each request, the end of its gaps in `#gaps`, and the number of its gaps that are longer than 0. */
  readonly #gapEnds = new NumberColumn();
  readonly #timedGaps = new NumberColumn();

  /** The change of each curve at each kind of event. */
  readonly #changes: Readonly<Record<CurveName, Change>> = {
    concurrency: (_, kind) => (kind === KIND.start ? 1 : kind === KIND.end ? -1 : 0),
    prefillConcurrency: (request, kind) => {
      if (kind === KIND.start) return this.#hasFirstToken(request) ? 1 : 0;
      return kind === KIND.firstToken ? -1 : 0;
    },
    decodeConcurrency: (request, kind) => {
      if (kind === KIND.end) return this.#hasFirstToken(request) ? -1 : 0;
      return kind === KIND.firstToken ? 1 : 0;
    },
    prefillRate: (request, kind) => {
      if (kind === KIND.start) return this.#computePrefillRate(request);
      return kind === KIND.firstToken ? -this.#computePrefillRate(request) : 0;
    },
    totalRate: (request, kind) => {
      if (kind === KIND.start) return this.#computePrefillRate(request);
      if (kind === KIND.end) return -this.#computeDecodeRate(request);
      if (kind !== KIND.firstToken) return 0;
      return this.#computeDecodeRate(request) - this.#computePrefillRate(request);
    },
    decodeRate: (request, kind) => {
      if (kind === KIND.start) return 0;
      if (this.#usesGaps) return this.#computeGapChange(request, kind);
      return (kind === KIND.firstToken ? 1 : -1) * this.#computeDecodeRate(request);
    },
    tokens: (request, kind) => {
      if (kind === KIND.start) return this.#getHeldInput(request);
      const output = this.#getHeldOutput(request);
      if (kind === KIND.end) return -(this.#getHeldInput(request) + output);
      if (kind === KIND.firstToken) return this.#usesGaps ? Math.min(1, output) : output;
      const isRateOnly = (kind - KIND.chunkRate) % 3 === 0;
      return isRateOnly || output === 0 ? 0 : (output - 1) / this.#countGaps(request);
    },
  };

  get length(): number {
    return this.#starts.length;
  }

  /** Number of stored gaps. */
  get gapCount(): number {
    return this.#gaps.length;
  }

  add({ startNs, firstTokenNs, endNs, inputTokens, outputTokens, gapsNs }: RequestInterval): void {
    this.#starts.push(startNs);
    this.#firstTokens.push(firstTokenNs);
    this.#ends.push(endNs);
    this.#inputs.push(inputTokens);
    this.#outputs.push(outputTokens);
    let timed = 0;
    for (const gap of gapsNs) {
      this.#gaps.push(gap);
      if (gap > 0) timed += 1;
    }
    this.#gapEnds.push(this.#gaps.length);
    this.#timedGaps.push(timed);
  }

  /** Removes the gaps of all requests. */
  dropGaps(): void {
    this.#gaps.clear();
    this.#gapEnds.clear();
    for (let request = 0; request < this.length; request++) this.#gapEnds.push(0);
  }

  /** Calls `visit` for the changes of a request without gaps: its start, its first token and its end. */
  visitChanges(
    request: number,
    visit: (timeNs: number, readChange: (curve: CurveName) => number) => void,
  ): void {
    const visitEvent = (timeNs: number, kind: number): void =>
      visit(timeNs, curve => this.#changes[curve](request, kind));
    visitEvent(this.#starts.get(request), KIND.start);
    if (this.#hasFirstToken(request)) visitEvent(this.#firstTokens.get(request), KIND.firstToken);
    visitEvent(this.#ends.get(request), KIND.end);
  }

  /** Sorts the times at which curves change. */
  sortSteps(): Steps {
    const { times, requests, kinds } = sortEvents(this.#listEvents());
    return {
      times,
      accumulate: (curve, values) => {
        const change = this.#changes[curve];
        accumulateChanges(values, event => change(requests[event]!, kinds[event]!));
      },
    };
  }

  #listEvents(): Events {
    const capacity = 3 * this.length + 2 * this.#gaps.length;
    const times = new Float64Array(capacity);
    const requests = new Uint32Array(capacity);
    const kinds = new Uint32Array(capacity);
    let count = 0;
    for (let request = 0; request < this.length; request++) {
      const push = (timeNs: number, kind: number): void => {
        times[count] = timeNs;
        requests[count] = request;
        kinds[count] = kind;
        count += 1;
      };
      push(this.#starts.get(request), KIND.start);
      push(this.#ends.get(request), KIND.end);
      if (!this.#hasFirstToken(request)) continue;
      push(this.#firstTokens.get(request), KIND.firstToken);
      this.#pushChunks(request, push);
    }
    return {
      times: times.subarray(0, count),
      requests: requests.subarray(0, count),
      kinds: kinds.subarray(0, count),
    };
  }

  /** Adds the events of the chunks after the first. A request has all of its tokens before its end. */
  #pushChunks(request: number, push: (timeNs: number, kind: number) => void): void {
    const endNs = this.#ends.get(request);
    const first = this.#getFirstGap(request);
    const count = this.#countGaps(request);
    let timeNs = this.#firstTokens.get(request);
    for (let index = 0; index < count; index++) {
      timeNs += this.#gaps.get(first + index);
      if (timeNs < endNs) push(timeNs, KIND.chunk + 3 * index);
      else {
        push(timeNs, KIND.chunkRate + 3 * index);
        // The largest number below `endNs`.
        push(endNs * (1 - Number.EPSILON / 2), KIND.chunkTokens + 3 * index);
      }
    }
  }

  get #usesGaps(): boolean {
    return this.#gaps.length > 0;
  }

  #hasFirstToken(request: number): boolean {
    return !Number.isNaN(this.#firstTokens.get(request));
  }

  #getFirstGap(request: number): number {
    return request === 0 ? 0 : this.#gapEnds.get(request - 1);
  }

  #countGaps(request: number): number {
    return this.#gapEnds.get(request) - this.#getFirstGap(request);
  }

  /** Returns the input tokens per second between the start of a request and its first token. */
  #computePrefillRate(request: number): number {
    const durationNs = this.#firstTokens.get(request) - this.#starts.get(request);
    return (this.#getHeldInput(request) / durationNs) * 1e9 || 0;
  }

  /** Returns the output tokens per second between the first token of a request and its end. */
  #computeDecodeRate(request: number): number {
    const durationNs = this.#ends.get(request) - this.#firstTokens.get(request);
    const output = this.#outputs.get(request);
    return durationNs > 0 && output >= 1 ? ((output - 1) / durationNs) * 1e9 : 0;
  }

  /** Returns the change of the output tokens per second in gaps, at the first token or at a chunk. */
  #computeGapChange(request: number, kind: number): number {
    if (kind === KIND.firstToken) return this.#computeGapRate(request, 0);
    if (kind === KIND.end || (kind - KIND.chunkTokens) % 3 === 0) return 0;
    const gap = Math.floor((kind - KIND.chunk) / 3);
    return this.#computeGapRate(request, gap + 1) - this.#computeGapRate(request, gap);
  }

  /** Returns the output tokens per second in a gap between two chunks; 0 after the last gap. */
  #computeGapRate(request: number, index: number): number {
    if (index >= this.#countGaps(request)) return 0;
    const gap = this.#gaps.get(this.#getFirstGap(request) + index);
    const output = this.#outputs.get(request);
    if (!gap || !(output >= 1)) return 0;
    return ((output - 1) / this.#timedGaps.get(request) / gap) * 1e9;
  }

  /** Returns the input tokens that a request holds until its end. */
  #getHeldInput(request: number): number {
    const hasPrefill = this.#firstTokens.get(request) > this.#starts.get(request);
    return hasPrefill ? this.#inputs.get(request) || 0 : 0;
  }

  /** Returns the output tokens that a request holds at its end. With gaps, only those that arrive in chunks count. */
  #getHeldOutput(request: number): number {
    const output = this.#outputs.get(request) || 0;
    if (!this.#usesGaps) return this.#ends.get(request) > this.#firstTokens.get(request) ? output : 0;
    return this.#hasFirstToken(request) && this.#countGaps(request) > 0 && output >= 1 ? output : 0;
  }
}

/** Returns copies of the events in the order of their times. */
function sortEvents({ times, requests, kinds }: Events): Events {
  const order = sortOrder(times);
  const sorted = {
    times: new Float64Array(order.length),
    requests: new Uint32Array(order.length),
    kinds: new Uint32Array(order.length),
  };
  for (let position = 0; position < order.length; position++) {
    const index = order[position]!;
    sorted.times[position] = times[index]!;
    sorted.requests[position] = requests[index]!;
    sorted.kinds[position] = kinds[index]!;
  }
  return sorted;
}
