import type { Slot } from '../layout/layout.ts';
import type { PackReader } from './bitPacking.ts';
import { readColumn } from './columnCodec.ts';
import type { StoreMemory } from './storeMemory.ts';

/** Slots per group. */
const GROUP = 32;

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
  /** By group of slots: where it begins; then where the last one ends. */
  readonly #starts: Uint32Array;
  /** By group: the length of each column in two bytes, lowest first, then the columns; nothing where all are constant. */
  #bytes: Uint8Array | null;
  /** Where the bytes are when they are not here. */
  #spilled: { readonly memory: StoreMemory; readonly position: number } | null = null;

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
    this.#starts = groupStarts(place.slotCount, lengths);
    this.#bytes = new Uint8Array(this.#starts.at(-1)!);
    this.#fill(this.#bytes, bytes, starts, lengths);
  }

  /** Bytes in memory. */
  get byteLength(): number {
    return this.#starts.byteLength + (this.#bytes?.byteLength ?? 0);
  }

  /** Gives the columns to the memory's storage. False, with nothing changed, when that does not take them. */
  spill(memory: StoreMemory): boolean {
    const position = this.#bytes && memory.write(this.#bytes);
    if (position === null) return false;
    this.#spilled = { memory, position };
    this.#bytes = null;
    return true;
  }

  /** Reads a column into `into`, from a position on; false when the slot is constant, with nothing read. */
  read(slot: Slot, reader: PackReader, into: Float64Array, at: number): boolean {
    if (slot >= this.slotCount) return false;
    const group = Math.floor(slot / GROUP);
    const from = this.#starts[group]!;
    const to = this.#starts[group + 1]!;
    if (from === to) return false;
    const bytes = this.#bytes ?? this.#readBack(from, to);
    const base = this.#bytes ? from : 0;
    const place = base + 2 * (slot % GROUP);
    if (bytes[place] === 0 && bytes[place + 1] === 0) return false;
    let start = base + 2 * Math.min(GROUP, this.slotCount - group * GROUP);
    for (let before = base; before < place; before += 2) start += bytes[before]! | (bytes[before + 1]! << 8);
    reader.open(bytes, start);
    readColumn(reader, this.rows, into, at);
    return true;
  }

  #readBack(from: number, to: number): Uint8Array {
    const { memory, position } = this.#spilled!;
    return memory.read(position + from, to - from);
  }

  #fill(to: Uint8Array, bytes: Uint8Array, starts: Uint32Array, lengths: Uint16Array): void {
    for (let group = 0; group + 1 < this.#starts.length; group++) {
      let at = this.#starts[group]!;
      if (at === this.#starts[group + 1]) continue;
      const first = group * GROUP;
      const end = Math.min(this.slotCount, first + GROUP);
      for (let slot = first; slot < end; slot++) {
        to[at++] = lengths[slot]! & 255;
        to[at++] = lengths[slot]! >>> 8;
      }
      for (let slot = first; slot < end; slot++) {
        const start = starts[slot]!;
        const length = lengths[slot]!;
        // Columns are a few bytes: copying them here is cheaper than a view each.
        for (let byte = 0; byte < length; byte++) to[at++] = bytes[start + byte]!;
      }
    }
  }
}

function groupStarts(slotCount: number, lengths: Uint16Array): Uint32Array {
  const groups = Math.ceil(slotCount / GROUP);
  const starts = new Uint32Array(groups + 1);
  for (let group = 0; group < groups; group++) {
    const end = Math.min(slotCount, (group + 1) * GROUP);
    let length = 0;
    for (let slot = group * GROUP; slot < end; slot++) length += lengths[slot]!;
    const head = length > 0 ? 2 * (end - group * GROUP) : 0;
    starts[group + 1] = starts[group]! + head + length;
  }
  return starts;
}
