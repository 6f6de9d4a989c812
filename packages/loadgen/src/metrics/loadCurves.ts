import { CURVE, CURVE_COUNT, type Steps, type StepVisitor } from './curves.ts';
import { NumberColumn } from './numberColumn.ts';
import { StepGrid } from './stepGrid.ts';

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

/** Limits of {@link LoadCurves}. */
export interface CurveLimits {
  /** Maximum number of requests with exact times, each of which takes 56 bytes; one million by default. */
  readonly maxRequests?: number;
  /** Maximum number of gaps between chunks, each of which takes 8 bytes; two million by default. */
  readonly maxGaps?: number;
}

/** Kinds of events. The kind of a chunk's event is one of the last three, plus 3 for each earlier gap. */
const KIND = { start: 0, firstToken: 1, end: 2, chunk: 3, chunkRate: 4, chunkTokens: 5 } as const;

/** The events of all requests, in no particular order. */
interface Events {
  readonly times: NumberColumn;
  readonly requests: NumberColumn;
  readonly kinds: NumberColumn;
}

/**
 * Stores the times and token counts of requests, and lists the changes of the curves of the load.
 *
 * Input tokens are spread evenly from the start to the first token. Output tokens after the first are spread over the
 * gaps between chunks, the same number in each gap; if no gaps are stored, evenly from the first token to the end.
 *
 * Memory is bounded: above the maximum number of gaps, no gaps are stored. Above the maximum number of requests, times
 * are rounded to a grid.
 */
export class LoadCurves {
  readonly #maxRequests: number;
  readonly #maxGaps: number;
  readonly #starts = new NumberColumn();
  readonly #firstTokens = new NumberColumn();
  readonly #ends = new NumberColumn();
  readonly #inputs = new NumberColumn();
  readonly #outputs = new NumberColumn();
  readonly #gaps = new NumberColumn();
  /** For each request, the end of its gaps in `#gaps`, and the number of its gaps that are longer than 0. */
  readonly #gapEnds = new NumberColumn();
  readonly #timedGaps = new NumberColumn();
  #storesGaps = true;
  #grid: StepGrid | undefined;

  constructor({ maxRequests = 1_000_000, maxGaps = 2_000_000 }: CurveLimits = {}) {
    this.#maxRequests = maxRequests;
    this.#maxGaps = maxGaps;
  }

  /** The resolution of times, in ns; undefined while they are exact. */
  get resolutionNs(): number | undefined {
    return this.#grid?.widthNs;
  }

  add({ startNs, firstTokenNs, endNs, inputTokens, outputTokens, gapsNs }: RequestInterval): void {
    if (this.#starts.length === this.#maxRequests) this.#moveToGrid();
    this.#starts.push(startNs);
    this.#firstTokens.push(firstTokenNs);
    this.#ends.push(endNs);
    this.#inputs.push(inputTokens);
    this.#outputs.push(outputTokens);
    if (this.#storesGaps) for (const gap of gapsNs) this.#gaps.push(gap);
    this.#gapEnds.push(this.#gaps.length);
    this.#timedGaps.push(gapsNs.filter(gap => gap > 0).length);
    if (this.#gaps.length > this.#maxGaps) this.#dropGaps();
  }

  /** Sorts the times at which curves change. The same time may occur several times. */
  sortSteps(): Steps {
    if (this.#starts.length > 0 && this.#grid) this.#moveToGrid();
    if (this.#grid) return this.#grid.listSteps();
    const events = this.#listEvents();
    const times = events.times.values;
    const order = Uint32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]!);
    return visit => this.#visitEvents(events, order, visit);
  }

  #dropGaps(): void {
    this.#storesGaps = false;
    this.#gaps.clear();
  }

  #moveToGrid(): void {
    this.#grid ??= new StepGrid();
    this.#dropGaps();
    const events = this.#listEvents();
    this.#visitEvents(events, events.times.values.keys(), (timeNs, changes) =>
      this.#grid!.add(timeNs, changes),
    );
    for (const column of [this.#starts, this.#firstTokens, this.#ends, this.#inputs, this.#outputs])
      column.clear();
    this.#gapEnds.clear();
    this.#timedGaps.clear();
  }

  #listEvents(): Events {
    const events = { times: new NumberColumn(), requests: new NumberColumn(), kinds: new NumberColumn() };
    for (let request = 0; request < this.#starts.length; request++) {
      const push = (timeNs: number, kind: number): void => {
        events.times.push(timeNs);
        events.requests.push(request);
        events.kinds.push(kind);
      };
      push(this.#starts.get(request), KIND.start);
      push(this.#ends.get(request), KIND.end);
      const firstTokenNs = this.#firstTokens.get(request);
      if (Number.isNaN(firstTokenNs)) continue;
      push(firstTokenNs, KIND.firstToken);
      this.#pushChunks(request, push);
    }
    return events;
  }

  /** Adds the events of the chunks after the first. A request has all of its tokens before its end. */
  #pushChunks(request: number, push: (timeNs: number, kind: number) => void): void {
    const gaps = this.#getGaps(request);
    const endNs = this.#ends.get(request);
    let timeNs = this.#firstTokens.get(request);
    gaps.forEach((gap, index) => {
      timeNs += gap;
      if (timeNs < endNs) push(timeNs, KIND.chunk + 3 * index);
      else {
        push(timeNs, KIND.chunkRate + 3 * index);
        // The largest number below `endNs`.
        push(endNs * (1 - Number.EPSILON / 2), KIND.chunkTokens + 3 * index);
      }
    });
  }

  #visitEvents({ times, requests, kinds }: Events, order: Iterable<number>, visit: StepVisitor): void {
    const changes = new Float64Array(CURVE_COUNT);
    for (const event of order) {
      changes.fill(0);
      const request = requests.get(event);
      const kind = kinds.get(event);
      if (kind === KIND.start) this.#addStart(request, changes);
      else if (kind === KIND.firstToken) this.#addFirstToken(request, changes);
      else if (kind === KIND.end) this.#addEnd(request, changes);
      else this.#addChunk(request, kind, changes);
      visit(times.get(event), changes);
    }
  }

  #addStart(request: number, changes: Float64Array): void {
    changes[CURVE.concurrency] = 1;
    if (Number.isNaN(this.#firstTokens.get(request))) return;
    const rate = this.#computePrefillRate(request);
    changes[CURVE.prefillConcurrency] = 1;
    changes[CURVE.prefillRate] = rate;
    changes[CURVE.totalRate] = rate;
    changes[CURVE.tokens] = this.#getHeldInput(request);
  }

  #addFirstToken(request: number, changes: Float64Array): void {
    const prefillRate = this.#computePrefillRate(request);
    const decodeRate = this.#computeDecodeRate(request);
    changes[CURVE.prefillConcurrency] = -1;
    changes[CURVE.decodeConcurrency] = 1;
    changes[CURVE.prefillRate] = -prefillRate;
    changes[CURVE.totalRate] = decodeRate - prefillRate;
    changes[CURVE.decodeRate] = this.#usesGaps ? this.#computeGapRate(request, 0) : decodeRate;
    const output = this.#getHeldOutput(request);
    changes[CURVE.tokens] = this.#usesGaps ? Math.min(1, output) : output;
  }

  #addChunk(request: number, kind: number, changes: Float64Array): void {
    const gap = Math.floor((kind - KIND.chunk) / 3);
    const part = kind - 3 * gap;
    if (part !== KIND.chunkTokens)
      changes[CURVE.decodeRate] = this.#computeGapRate(request, gap + 1) - this.#computeGapRate(request, gap);
    const output = this.#getHeldOutput(request);
    if (part !== KIND.chunkRate && output > 0)
      changes[CURVE.tokens] = (output - 1) / this.#getGaps(request).length;
  }

  #addEnd(request: number, changes: Float64Array): void {
    changes[CURVE.concurrency] = -1;
    if (Number.isNaN(this.#firstTokens.get(request))) return;
    const rate = this.#computeDecodeRate(request);
    changes[CURVE.decodeConcurrency] = -1;
    changes[CURVE.totalRate] = -rate;
    changes[CURVE.decodeRate] = this.#usesGaps ? 0 : -rate;
    changes[CURVE.tokens] = -(this.#getHeldInput(request) + this.#getHeldOutput(request));
  }

  get #usesGaps(): boolean {
    return this.#gaps.length > 0;
  }

  #getGaps(request: number): Float64Array {
    if (!this.#usesGaps) return this.#gaps.values;
    const start = request === 0 ? 0 : this.#gapEnds.get(request - 1);
    return this.#gaps.values.subarray(start, this.#gapEnds.get(request));
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

  /** Returns the output tokens per second in a gap between two chunks; 0 after the last gap. */
  #computeGapRate(request: number, index: number): number {
    const gap = this.#getGaps(request)[index];
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
    if (this.#usesGaps) return this.#getGaps(request).length > 0 && output >= 1 ? output : 0;
    return this.#ends.get(request) > this.#firstTokens.get(request) ? output : 0;
  }
}
