import type { RawExchange, RequestRecord } from '../requestRecord.ts';
import type { Ledger } from '../run/ledger.ts';

/** Maximum time that a record waits in a batch, in ms. If a run is killed, waiting records are lost. */
const FLUSH_INTERVAL_MS = 50;
const MAX_BATCH_RECORDS = 64;
/** Maximum size of posted but unprocessed records, in bytes; above it, sending is paused. */
const MAX_PENDING_BYTES = 64 << 20;
/** Approximate size of a record without pieces and texts, in bytes. */
const RECORD_BYTES = 2_000;
/** Size of a piece (time, tokens and kind), in bytes. */
const PIECE_BYTES = 13;

/** Posts records in batches, and pauses sending if the receiver falls behind. */
export class RecordBatcher {
  readonly #post: (records: readonly RequestRecord[], bytes: number) => void;
  readonly #ledger: Ledger;
  readonly #worker: number;
  readonly #nowNs: () => number;
  readonly #timer: NodeJS.Timeout;
  #batch: RequestRecord[] = [];
  #batchBytes = 0;
  #postedBytes = 0;
  #pausedSinceNs: number | undefined;
  #pausedNs = 0;

  /** `onRelease` is called when sending may resume after a pause. */
  constructor(options: {
    /** Posts a batch; `bytes` is its estimated size. */
    readonly post: (records: readonly RequestRecord[], bytes: number) => void;
    readonly ledger: Ledger;
    readonly worker: number;
    readonly nowNs: () => number;
    readonly onRelease: () => void;
  }) {
    this.#post = options.post;
    this.#ledger = options.ledger;
    this.#worker = options.worker;
    this.#nowNs = options.nowNs;
    this.#timer = setInterval(() => {
      this.flush();
      if (this.#pausedSinceNs !== undefined && !this.isPaused()) options.onRelease();
    }, FLUSH_INTERVAL_MS);
  }

  add(record: RequestRecord): void {
    this.#batch.push(trimArrays(record));
    this.#batchBytes += estimateBytes(record);
    if (this.#batch.length >= MAX_BATCH_RECORDS) this.flush();
  }

  /** Posts the current batch. */
  flush(): void {
    if (this.#batch.length === 0) return;
    this.#post(this.#batch, this.#batchBytes);
    this.#postedBytes += this.#batchBytes;
    this.#batch = [];
    this.#batchBytes = 0;
  }

  /** Reports whether sending is paused because too many records are not yet processed. */
  isPaused(): boolean {
    const isPaused =
      this.#postedBytes - this.#ledger.count(this.#worker, 'processedBytes') > MAX_PENDING_BYTES;
    if (isPaused) {
      this.#pausedSinceNs ??= this.#nowNs();
    } else if (this.#pausedSinceNs !== undefined) {
      this.#pausedNs += this.#nowNs() - this.#pausedSinceNs;
      this.#pausedSinceNs = undefined;
    }
    return isPaused;
  }

  /** Posts the last batch. Returns the total time that sending was paused, in ns. */
  close(): number {
    clearInterval(this.#timer);
    this.flush();
    const currentPauseNs = this.#pausedSinceNs === undefined ? 0 : this.#nowNs() - this.#pausedSinceNs;
    return this.#pausedNs + currentPauseNs;
  }
}

function estimateBytes({ arrivals, text, raw }: RequestRecord): number {
  const characters = text ? text.input.length + text.output.length + text.reasoning.length : 0;
  return RECORD_BYTES + PIECE_BYTES * arrivals.timesNs.length + characters + (raw ? countCharacters(raw) : 0);
}

function countCharacters({ payload, messages }: RawExchange): number {
  return messages.reduce((sum, { text }) => sum + text.length, payload.length);
}

/** Copies arrays that are views of larger buffers, because posting an array copies its whole buffer. */
function trimArrays(record: RequestRecord): RequestRecord {
  const { arrivals } = record;
  const { timesNs, tokens, kinds } = arrivals;
  if (timesNs.byteLength === timesNs.buffer.byteLength && kinds.byteLength === kinds.buffer.byteLength)
    return record;
  return { ...record, arrivals: { ...arrivals, timesNs: timesNs.slice(), tokens, kinds: kinds.slice() } };
}
