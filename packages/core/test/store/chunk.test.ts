import { describe, expect, it } from 'vitest';
import { BitReader, BitWriter } from '../../src/store/bitPacking.ts';
import { Chunk } from '../../src/store/chunk.ts';
import { writeColumn } from '../../src/store/columnCodec.ts';
import { StoreMemory } from '../../src/store/storeMemory.ts';

const ROWS = 5;
/** Two full groups of 32 slots, and a partial third group. */
const SLOTS = 70;

/** Returns the column of a slot. Every third slot is constant, and so are all slots of the second group. */
function createColumn(slot: number): Float64Array | null {
  const isConstant = slot % 3 === 0 || (slot >= 32 && slot < 64);
  return isConstant ? null : Float64Array.from({ length: ROWS }, (_, row) => slot * 100 + row ** 2);
}

/** Creates a chunk with the columns of `createColumn`; constant slots have no bytes. */
function createChunk(): Chunk {
  const writer = new BitWriter();
  const starts = new Uint32Array(SLOTS);
  const lengths = new Uint16Array(SLOTS);
  for (let slot = 0; slot < SLOTS; slot++) {
    starts[slot] = writer.length;
    const column = createColumn(slot);
    if (column) writeColumn(column, ROWS, writer);
    lengths[slot] = writer.length - starts[slot]!;
  }
  const contents = { index: 2, firstFrame: 10, rows: ROWS, slotCount: SLOTS, plainCounts: null };
  return new Chunk(contents, writer.view(), starts, lengths);
}

/** Reads a column into the middle of an array; null if the slot is constant. */
function readColumn(chunk: Chunk, slot: number): Float64Array | null {
  const into = new Float64Array(ROWS + 2).fill(-1);
  const isStored = chunk.read(slot, new BitReader(), into, 1);
  expect([into[0], into[ROWS + 1]]).toEqual([-1, -1]);
  if (!isStored) expect(into.every(value => value === -1)).toBe(true);
  return isStored ? into.slice(1, -1) : null;
}

/** Creates a memory whose storage returns the written block, which starts at position 500. */
function createMemory(write: (bytes: Uint8Array) => number | null): StoreMemory {
  const blocks: Uint8Array[] = [];
  return new StoreMemory(1000, {
    write: bytes => {
      const position = write(bytes);
      if (position !== null) blocks.push(bytes.slice());
      return position;
    },
    read: (position, length) => blocks[0]!.slice(position - 500, position - 500 + length),
  });
}

describe('Chunk', () => {
  it('returns the column of every slot, and nothing for constant slots', () => {
    const chunk = createChunk();
    for (let slot = 0; slot < SLOTS; slot++) expect(readColumn(chunk, slot)).toEqual(createColumn(slot));
  });

  it('returns nothing for slots that were added to the layout later', () => {
    expect(readColumn(createChunk(), SLOTS)).toBeNull();
  });

  it('reads the same columns from storage, and needs less memory', () => {
    const chunk = createChunk();
    const { byteLength } = chunk;
    expect(chunk.spill(createMemory(() => 500))).toBe(true);
    expect(chunk.byteLength).toBeLessThan(byteLength);
    for (let slot = 0; slot < SLOTS; slot++) expect(readColumn(chunk, slot)).toEqual(createColumn(slot));
  });

  it('stays in memory if the storage is full', () => {
    const chunk = createChunk();
    const { byteLength } = chunk;
    expect(chunk.spill(createMemory(() => null))).toBe(false);
    expect(chunk.byteLength).toBe(byteLength);
    expect(readColumn(chunk, 1)).toEqual(createColumn(1));
  });
});
