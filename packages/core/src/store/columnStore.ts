import type { HistogramSeries, Layout, Slot } from '../layout/layout.ts';
import { PackReader } from './bitPacking.ts';
import type { Chunk } from './chunk.ts';
import { sealed } from './chunkWriter.ts';
import { MOST_ROWS } from './columnCodec.ts';
import { Constants } from './constantSlots.ts';
import { Chains, chainOf } from './cumulativeChains.ts';
import { Block } from './rowBlock.ts';
import type { Spilling, StoreMemory } from './storeMemory.ts';

// Work space, shared by all endpoints: columns are read one at a time.
const reader = new PackReader();
const cell = new Float64Array(MOST_ROWS);
const running = new Float64Array(MOST_ROWS);
const nothing = new Float64Array(MOST_ROWS).fill(Number.NaN);

/**
 * The values of an endpoint's frames by slot, in the order in which they came: the newest as raw rows, the others in
 * chunks of compressed columns. Reading a range touches only its chunks. With a memory that has a limit, the oldest chunks
 * are in its storage.
 */
export class Columns implements Spilling {
  readonly #layout: Layout;
  readonly #chains: Chains;
  readonly #block = new Block();
  readonly #chunks: Chunk[] = [];
  readonly #constants = new Constants();
  readonly #memory: StoreMemory | undefined;
  #chunkBytes = 0;
  /** How many chunks, from the first on, are in the storage. */
  #spilled = 0;
  /** How many frames the chunks hold. */
  #sealed = 0;

  constructor(layout: Layout, memory?: StoreMemory) {
    this.#layout = layout;
    this.#memory = memory;
    this.#chains = new Chains(layout);
  }

  get byteLength(): number {
    return this.#chunkBytes + this.#block.byteLength + this.#constants.byteLength;
  }

  spill(): boolean {
    const chunk = this.#chunks[this.#spilled];
    const before = chunk?.byteLength ?? 0;
    if (!chunk?.spill(this.#memory!)) return false;
    this.#chunkBytes += chunk.byteLength - before;
    this.#spilled++;
    // Their list would grow in memory, where a chunk does not.
    this.#constants.freeze();
    return true;
  }

  append(values: Float64Array): void {
    if (this.#block.isFull) this.#seal();
    this.#block.append(values, this.#layout.slotCount);
  }

  /** The values of a slot in the frames [from, to), `NaN` where absent. */
  column(slot: Slot, from: number, to: number): Float64Array {
    const series = this.#chains.histogramOf(slot);
    return series ? this.#chain(series, [slot], from, to)[0]! : this.#single(slot, from, to);
  }

  /** The cumulative values of a histogram in the frames [from, to): of its buckets by bound, then of its count. */
  chain(series: HistogramSeries, from: number, to: number): Float64Array[] {
    return this.#chain(series, chainOf(series, Infinity), from, to);
  }

  #single(slot: Slot, from: number, to: number): Float64Array {
    const chunks = this.#chunksOf(from, to);
    const values = new Float64Array(to - from);
    const constant = this.#constants.from(slot, chunks[0]?.index ?? 0);
    for (const chunk of chunks) {
      readSlot(chunk, slot, constant, cell);
      copyRows(cell, chunk, from, to, values);
    }
    this.#readBlock(slot, from, to, values);
    return values;
  }

  /** Some slots of a histogram's chain, each as a column. */
  #chain(series: HistogramSeries, slots: readonly Slot[], from: number, to: number): Float64Array[] {
    const chunks = this.#chunksOf(from, to);
    const columns = slots.map(() => new Float64Array(to - from));
    const members = chainOf(series, Infinity).map(slot => ({
      slot,
      constant: this.#constants.from(slot, chunks[0]?.index ?? 0),
      values: columns[slots.indexOf(slot)],
    }));
    for (const chunk of chunks) {
      const isPlain = chunk.plain?.has(series.count) === true;
      running.fill(0, 0, chunk.rows);
      for (const { slot, constant, values } of members) {
        if (slot < chunk.slotCount) {
          if (isPlain) readSlot(chunk, slot, constant, running);
          else addSlot(chunk, slot, constant);
          if (values) copyRows(running, chunk, from, to, values);
        } else if (values) copyRows(nothing, chunk, from, to, values);
      }
    }
    slots.forEach((slot, at) => {
      this.#readBlock(slot, from, to, columns[at]!);
    });
    return columns;
  }

  #readBlock(slot: Slot, from: number, to: number, into: Float64Array): void {
    const start = Math.max(from, this.#sealed);
    if (start < to) this.#block.column(slot, start - this.#sealed, to - this.#sealed, into, start - from);
  }

  /** The chunks that hold frames of [from, to). */
  #chunksOf(from: number, to: number): Chunk[] {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (chunks[middle]!.first + chunks[middle]!.rows <= from) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < chunks.length && chunks[end]!.first < to) end++;
    return chunks.slice(low, end);
  }

  #seal(): void {
    const place = {
      index: this.#chunks.length,
      first: this.#sealed,
      slotCount: this.#layout.slotCount,
    };
    const chunk = sealed(this.#block, place, this.#chains, this.#constants);
    this.#chunks.push(chunk);
    this.#chunkBytes += chunk.byteLength;
    this.#sealed += chunk.rows;
    this.#block.clear();
    this.#memory?.sealed(this);
  }
}

/** Reads a chunk's column into the first rows of `into`. */
function readSlot(chunk: Chunk, slot: Slot, constant: (chunk: number) => number, into: Float64Array): void {
  if (!chunk.read(slot, reader, into, 0)) into.fill(constant(chunk.index), 0, chunk.rows);
}

/** Adds a chunk's column to `running`: a difference to what it was taken from, which makes it the base of the next. */
function addSlot(chunk: Chunk, slot: Slot, constant: (chunk: number) => number): void {
  const { rows } = chunk;
  if (chunk.read(slot, reader, cell, 0)) {
    for (let row = 0; row < rows; row++) running[row]! += cell[row]!;
    return;
  }
  const value = constant(chunk.index);
  // A bucket in which nothing fell: most of them, most of the time.
  if (value === 0) return;
  for (let row = 0; row < rows; row++) running[row]! += value;
}

/** Copies the rows of a chunk that lie in [from, to) to their places. */
function copyRows(rows: Float64Array, chunk: Chunk, from: number, to: number, into: Float64Array): void {
  const start = Math.max(from, chunk.first);
  const end = Math.min(to, chunk.first + chunk.rows);
  for (let frame = start; frame < end; frame++) into[frame - from] = rows[frame - chunk.first]!;
}
