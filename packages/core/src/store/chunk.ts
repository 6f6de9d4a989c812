import type { Slot } from '../layout/layout.ts';
import type { BitReader } from './bitPacking.ts';
import { readColumn } from './columnCodec.ts';
import type { StoreMemory } from './storeMemory.ts';

/** Number of slots per group. To locate the column of a slot, only the column lengths of its group are read. */
const SLOTS_PER_GROUP = 32;

/**
 * Consecutive frames of an endpoint, compressed by slot. A slot with an empty column is constant;
 * `ConstantSlots` has its value.
 */
export class Chunk {
  /** Position among the endpoint's chunks. */
  readonly index: number;
  /** Index of the frame in the first row. */
  readonly firstFrame: number;
  readonly rows: number;
  /** Number of slots of the layout when the chunk was created. */
  readonly slotCount: number;
  /** Count slots of the histograms whose columns are stored as values, not as differences; null if there are none. */
  readonly plainCounts: ReadonlySet<Slot> | null;
  /** Start offset of each group of slots, then the end of the last group. */
  readonly #starts: Uint32Array;
  /**
   * By group: the length of each column in two bytes (little-endian), then the columns; empty if all are
   * constant. Null after the columns were moved to storage.
   */
  #bytes: Uint8Array | null;
  /** Location of the columns in storage; null while they are in memory. */
  #spilled: { readonly memory: StoreMemory; readonly position: number } | null = null;

  /**
   * @param starts by slot: offset of its column in `bytes`
   * @param lengths by slot: length of its column in bytes
   */
  constructor(
    contents: Pick<Chunk, 'index' | 'firstFrame' | 'rows' | 'slotCount' | 'plainCounts'>,
    bytes: Uint8Array,
    starts: Uint32Array,
    lengths: Uint16Array,
  ) {
    this.index = contents.index;
    this.firstFrame = contents.firstFrame;
    this.rows = contents.rows;
    this.slotCount = contents.slotCount;
    this.plainCounts = contents.plainCounts;
    this.#starts = computeGroupStarts(contents.slotCount, lengths);
    this.#bytes = new Uint8Array(this.#starts.at(-1)!);
    this.#fill(this.#bytes, bytes, starts, lengths);
  }

  /** Size in memory, in bytes. */
  get byteLength(): number {
    return this.#starts.byteLength + (this.#bytes?.byteLength ?? 0);
  }

  /** Moves the columns to storage. Returns false, without any change, if the storage cannot store them. */
  spill(memory: StoreMemory): boolean {
    const position = this.#bytes && memory.write(this.#bytes);
    if (position === null) return false;
    this.#spilled = { memory, position };
    this.#bytes = null;
    return true;
  }

  /** Reads a column into `into`, starting at index `at`. Returns false without reading if the slot is constant. */
  read(slot: Slot, reader: BitReader, into: Float64Array, at: number): boolean {
    if (slot >= this.slotCount) return false;
    const group = Math.floor(slot / SLOTS_PER_GROUP);
    const from = this.#starts[group]!;
    const to = this.#starts[group + 1]!;
    if (from === to) return false;
    const bytes = this.#bytes ?? this.#readFromStorage(from, to);
    const base = this.#bytes ? from : 0;
    const lengthOffset = base + 2 * (slot % SLOTS_PER_GROUP);
    if (bytes[lengthOffset] === 0 && bytes[lengthOffset + 1] === 0) return false;
    let start = base + 2 * Math.min(SLOTS_PER_GROUP, this.slotCount - group * SLOTS_PER_GROUP);
    for (let before = base; before < lengthOffset; before += 2)
      start += bytes[before]! | (bytes[before + 1]! << 8);
    reader.open(bytes, start);
    readColumn(reader, this.rows, into, at);
    return true;
  }

  #readFromStorage(from: number, to: number): Uint8Array {
    const { memory, position } = this.#spilled!;
    return memory.read(position + from, to - from);
  }

  /** Copies the column lengths and the columns of each group to `to`. */
  #fill(to: Uint8Array, bytes: Uint8Array, starts: Uint32Array, lengths: Uint16Array): void {
    for (let group = 0; group + 1 < this.#starts.length; group++) {
      let at = this.#starts[group]!;
      if (at === this.#starts[group + 1]) continue;
      const first = group * SLOTS_PER_GROUP;
      const end = Math.min(this.slotCount, first + SLOTS_PER_GROUP);
      for (let slot = first; slot < end; slot++) {
        to[at++] = lengths[slot]! & 255;
        to[at++] = lengths[slot]! >>> 8;
      }
      for (let slot = first; slot < end; slot++) {
        const start = starts[slot]!;
        const length = lengths[slot]!;
        // Columns are a few bytes long: copying bytes is cheaper than creating a view for each.
        for (let byte = 0; byte < length; byte++) to[at++] = bytes[start + byte]!;
      }
    }
  }
}

function computeGroupStarts(slotCount: number, lengths: Uint16Array): Uint32Array {
  const groups = Math.ceil(slotCount / SLOTS_PER_GROUP);
  const starts = new Uint32Array(groups + 1);
  for (let group = 0; group < groups; group++) {
    const end = Math.min(slotCount, (group + 1) * SLOTS_PER_GROUP);
    let length = 0;
    for (let slot = group * SLOTS_PER_GROUP; slot < end; slot++) length += lengths[slot]!;
    const headerLength = length > 0 ? 2 * (end - group * SLOTS_PER_GROUP) : 0;
    starts[group + 1] = starts[group]! + headerLength + length;
  }
  return starts;
}
