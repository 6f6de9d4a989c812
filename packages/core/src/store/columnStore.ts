import type { HistogramSeries, Layout, Slot } from '../layout/layout.ts';
import { BitReader } from './bitPacking.ts';
import type { Chunk } from './chunk.ts';
import { compressBlock } from './chunkWriter.ts';
import { MAX_ROWS } from './columnCodec.ts';
import { ConstantSlots } from './constantSlots.ts';
import { CumulativeChains, listChainSlots } from './cumulativeChains.ts';
import { RowBlock } from './rowBlock.ts';
import type { SpillableStore, StoreMemory } from './storeMemory.ts';

// Scratch buffers, shared by all endpoints because columns are read one at a time.
const reader = new BitReader();
const column = new Float64Array(MAX_ROWS);
const running = new Float64Array(MAX_ROWS);
const absent = new Float64Array(MAX_ROWS).fill(Number.NaN);

/**
 * Stores the values of an endpoint's frames in the order of arrival: the newest frames as uncompressed rows,
 * older frames in chunks of compressed columns. Reading a range decompresses only its chunks. With a memory
 * limit, the oldest chunks are moved to storage.
 */
export class ColumnStore implements SpillableStore {
  readonly #layout: Layout;
  readonly #chains: CumulativeChains;
  readonly #block = new RowBlock();
  readonly #chunks: Chunk[] = [];
  readonly #constants = new ConstantSlots();
  readonly #memory: StoreMemory | undefined;
  #chunkBytes = 0;
  /** Number of chunks in storage, which are the oldest chunks. */
  #spilledChunks = 0;
  /** Number of frames in chunks. */
  #chunkedFrames = 0;

  constructor(layout: Layout, memory?: StoreMemory) {
    this.#layout = layout;
    this.#memory = memory;
    this.#chains = new CumulativeChains(layout);
  }

  get byteLength(): number {
    return this.#chunkBytes + this.#block.byteLength + this.#constants.byteLength;
  }

  spill(): boolean {
    const chunk = this.#chunks[this.#spilledChunks];
    const before = chunk?.byteLength ?? 0;
    if (!chunk?.spill(this.#memory!)) return false;
    this.#chunkBytes += chunk.byteLength - before;
    this.#spilledChunks++;
    // The list of constants cannot be moved to storage, so it must stop growing.
    this.#constants.freeze();
    return true;
  }

  append(values: Float64Array): void {
    if (this.#block.isFull) this.#compressBlock();
    this.#block.append(values, this.#layout.slotCount);
  }

  /** Returns the values of a slot in the frames [from, to); absent values are `NaN`. */
  readColumn(slot: Slot, from: number, to: number): Float64Array {
    const series = this.#chains.findHistogram(slot);
    return series ? this.#readChain(series, [slot], from, to)[0]! : this.#readSingle(slot, from, to);
  }

  /** Returns the cumulative values of a histogram in the frames [from, to): its buckets by bound, then its count. */
  readChain(series: HistogramSeries, from: number, to: number): Float64Array[] {
    return this.#readChain(series, listChainSlots(series, Infinity), from, to);
  }

  #readSingle(slot: Slot, from: number, to: number): Float64Array {
    const chunks = this.#findChunks(from, to);
    const values = new Float64Array(to - from);
    const constant = this.#constants.createReader(slot, chunks[0]?.index ?? 0);
    for (const chunk of chunks) {
      readSlot(chunk, slot, constant, column);
      copyRows(column, chunk, from, to, values);
    }
    this.#readBlock(slot, from, to, values);
    return values;
  }

  /** Returns the columns of the given slots of a histogram's chain. */
  #readChain(series: HistogramSeries, slots: readonly Slot[], from: number, to: number): Float64Array[] {
    const chunks = this.#findChunks(from, to);
    const columns = slots.map(() => new Float64Array(to - from));
    const members = listChainSlots(series, Infinity).map(slot => ({
      slot,
      constant: this.#constants.createReader(slot, chunks[0]?.index ?? 0),
      values: columns[slots.indexOf(slot)],
    }));
    for (const chunk of chunks) {
      const isPlain = chunk.plainCounts?.has(series.count) === true;
      running.fill(0, 0, chunk.rows);
      for (const { slot, constant, values } of members) {
        if (slot < chunk.slotCount) {
          if (isPlain) readSlot(chunk, slot, constant, running);
          else addSlot(chunk, slot, constant);
          if (values) copyRows(running, chunk, from, to, values);
        } else if (values) copyRows(absent, chunk, from, to, values);
      }
    }
    slots.forEach((slot, at) => {
      this.#readBlock(slot, from, to, columns[at]!);
    });
    return columns;
  }

  #readBlock(slot: Slot, from: number, to: number, into: Float64Array): void {
    const start = Math.max(from, this.#chunkedFrames);
    if (start < to)
      this.#block.copyColumn(slot, start - this.#chunkedFrames, to - this.#chunkedFrames, into, start - from);
  }

  /** Returns the chunks that contain frames of [from, to). */
  #findChunks(from: number, to: number): Chunk[] {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (chunks[middle]!.firstFrame + chunks[middle]!.rows <= from) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < chunks.length && chunks[end]!.firstFrame < to) end++;
    return chunks.slice(low, end);
  }

  #compressBlock(): void {
    const position = {
      index: this.#chunks.length,
      firstFrame: this.#chunkedFrames,
      slotCount: this.#layout.slotCount,
    };
    const chunk = compressBlock(this.#block, position, this.#chains, this.#constants);
    this.#chunks.push(chunk);
    this.#chunkBytes += chunk.byteLength;
    this.#chunkedFrames += chunk.rows;
    this.#block.clear();
    this.#memory?.recordChunk(this);
  }
}

/** Reads a chunk's column into the start of `into`. */
function readSlot(chunk: Chunk, slot: Slot, constant: (chunk: number) => number, into: Float64Array): void {
  if (!chunk.read(slot, reader, into, 0)) into.fill(constant(chunk.index), 0, chunk.rows);
}

/** Adds a chunk's column of differences to `running`, which then contains the values of the slot. */
function addSlot(chunk: Chunk, slot: Slot, constant: (chunk: number) => number): void {
  const { rows } = chunk;
  if (chunk.read(slot, reader, column, 0)) {
    for (let row = 0; row < rows; row++) running[row]! += column[row]!;
    return;
  }
  const value = constant(chunk.index);
  // The most frequent case: no observations between two bounds.
  if (value === 0) return;
  for (let row = 0; row < rows; row++) running[row]! += value;
}

/** Copies the rows of a chunk that are in [from, to) to their positions in `into`. */
function copyRows(rows: Float64Array, chunk: Chunk, from: number, to: number, into: Float64Array): void {
  const start = Math.max(from, chunk.firstFrame);
  const end = Math.min(to, chunk.firstFrame + chunk.rows);
  for (let frame = start; frame < end; frame++) into[frame - from] = rows[frame - chunk.firstFrame]!;
}
