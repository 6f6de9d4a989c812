import type { RequestRecord } from '../requestRecord.ts';
import type { Ledger } from '../run/ledger.ts';

/** Longest time that a record waits for others, ms: what a killed run loses. */
const FLUSH_MS = 50;
const MOST_RECORDS = 64;
/** What may be on its way, bytes, before nothing new is sent. */
const MOST_BYTES = 64 << 20;
/** Of a record without its pieces and texts. */
const RECORD_BYTES = 2_000;
/** Of a piece: time, tokens, kind. */
const PIECE_BYTES = 13;

/** Hands records over in batches, and knows when they are not taken fast enough. */
export class Outbox {
  readonly #post: (records: readonly RequestRecord[], weight: number) => void;
  readonly #ledger: Ledger;
  readonly #worker: number;
  readonly #nowNs: () => number;
  readonly #timer: NodeJS.Timeout;
  #batch: RequestRecord[] = [];
  #batchBytes = 0;
  #handedBytes = 0;
  #heldSinceNs: number | undefined;
  #heldNs = 0;

  /** `onRelease`: called when something new may be sent again. */
  constructor(options: {
    readonly post: (records: readonly RequestRecord[], weight: number) => void;
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
      if (this.#heldSinceNs !== undefined && !this.isHeld()) options.onRelease();
    }, FLUSH_MS);
  }

  take(record: RequestRecord): void {
    this.#batch.push(compact(record));
    this.#batchBytes += bytesOf(record);
    if (this.#batch.length >= MOST_RECORDS) this.flush();
  }

  flush(): void {
    if (this.#batch.length === 0) return;
    this.#post(this.#batch, this.#batchBytes);
    this.#handedBytes += this.#batchBytes;
    this.#batch = [];
    this.#batchBytes = 0;
  }

  /** Whether too much is on its way. */
  isHeld(): boolean {
    const isHeld = this.#handedBytes - this.#ledger.count(this.#worker, 'taken') > MOST_BYTES;
    if (isHeld) {
      this.#heldSinceNs ??= this.#nowNs();
    } else if (this.#heldSinceNs !== undefined) {
      this.#heldNs += this.#nowNs() - this.#heldSinceNs;
      this.#heldSinceNs = undefined;
    }
    return isHeld;
  }

  /** Hands the rest over. Returns how long nothing new could be sent in all, ns. */
  close(): number {
    clearInterval(this.#timer);
    this.flush();
    const last = this.#heldSinceNs === undefined ? 0 : this.#nowNs() - this.#heldSinceNs;
    return this.#heldNs + last;
  }
}

function bytesOf({ arrivals, text }: RequestRecord): number {
  const said = text ? text.input.length + text.output.length + text.reasoning.length : 0;
  return RECORD_BYTES + PIECE_BYTES * arrivals.timesNs.length + said;
}

/** Without the room for more pieces, which would be copied as well. */
function compact(record: RequestRecord): RequestRecord {
  const { arrivals } = record;
  const { timesNs, tokens, kinds } = arrivals;
  if (timesNs.byteLength === timesNs.buffer.byteLength && kinds.byteLength === kinds.buffer.byteLength)
    return record;
  return { ...record, arrivals: { ...arrivals, timesNs: timesNs.slice(), tokens, kinds: kinds.slice() } };
}
