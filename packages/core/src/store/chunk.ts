import type { Slot } from '../layout.ts';
import { readColumn } from './column.ts';
import type { PackReader } from './pack.ts';

/** Slots per checkpoint. */
const STEP = 32;

/** Some rows of an endpoint, compressed by slot. A slot without bytes is what the constants say that it is. */
export class Chunk {
  /** Its place among the chunks of the endpoint. */
  readonly index: number;
  /** The frame in its first row. */
  readonly first: number;
  readonly rows: number;
  /** How many slots the layout had. */
  readonly slotCount: number;
  /** The counts of the histograms whose columns are kept as they are, and not less their lower neighbours. */
  readonly plain: ReadonlySet<Slot> | null;
  readonly #checkpoints: Uint32Array;
  readonly #lengths: Uint16Array;
  readonly #bytes: Uint8Array;

  /** @param starts by slot: where its column begins in `bytes`; @param lengths by slot: how many bytes it has */
  constructor(
    place: Pick<Chunk, 'index' | 'first' | 'rows' | 'slotCount' | 'plain'>,
    bytes: Uint8Array,
    starts: Uint32Array,
    lengths: Uint16Array,
  ) {
    this.index = place.index;
    this.first = place.first;
    this.rows = place.rows;
    this.slotCount = place.slotCount;
    this.plain = place.plain;
    const checkpointCount = Math.ceil(place.slotCount / STEP);
    const head = checkpointCount * 4 + place.slotCount * 2;
    const buffer = new ArrayBuffer(head + bytes.length);
    this.#checkpoints = new Uint32Array(buffer, 0, checkpointCount);
    this.#lengths = new Uint16Array(buffer, checkpointCount * 4, place.slotCount);
    this.#bytes = new Uint8Array(buffer, head);
    this.#fill(bytes, starts, lengths);
  }

  get byteLength(): number {
    return this.#bytes.buffer.byteLength;
  }

  /** Reads a column into `into`, from a position on; false when the slot is constant, with nothing read. */
  read(slot: Slot, reader: PackReader, into: Float64Array, at: number): boolean {
    if (slot >= this.slotCount || this.#lengths[slot] === 0) return false;
    let start = this.#checkpoints[Math.floor(slot / STEP)]!;
    for (let before = slot - (slot % STEP); before < slot; before++) start += this.#lengths[before]!;
    reader.open(this.#bytes, start);
    readColumn(reader, this.rows, into, at);
    return true;
  }

  #fill(bytes: Uint8Array, starts: Uint32Array, lengths: Uint16Array): void {
    let at = 0;
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (slot % STEP === 0) this.#checkpoints[slot / STEP] = at;
      const length = lengths[slot]!;
      this.#lengths[slot] = length;
      if (length === 0) continue;
      const start = starts[slot]!;
      // Columns are a few bytes: copying them here is cheaper than a view each.
      for (let byte = 0; byte < length; byte++) this.#bytes[at + byte] = bytes[start + byte]!;
      at += length;
    }
  }
}
