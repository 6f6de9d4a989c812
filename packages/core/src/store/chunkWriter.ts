import type { HistogramSeries, Slot } from '../layout/layout.ts';
import { BitWriter } from './bitPacking.ts';
import { Chunk } from './chunk.ts';
import { MAX_INTEGER, MAX_ROWS, writeColumn } from './columnCodec.ts';
import type { ConstantSlots } from './constantSlots.ts';
import { type CumulativeChains, listChainSlots } from './cumulativeChains.ts';
import type { RowBlock } from './rowBlock.ts';

// Scratch buffers, shared by all endpoints because chunks are created one at a time.
const out = new BitWriter();
const column = new Float64Array(MAX_ROWS);
let starts = new Uint32Array(1024);
let lengths = new Uint16Array(1024);
const chainColumns: Float64Array[] = [];
const isConstantColumn: boolean[] = [];

/** Compresses the rows of a block. */
export function compressBlock(
  block: RowBlock,
  position: { readonly index: number; readonly firstFrame: number; readonly slotCount: number },
  chains: CumulativeChains,
  constants: ConstantSlots,
): Chunk {
  const { index, slotCount } = position;
  if (slotCount > starts.length) {
    starts = new Uint32Array(slotCount * 2);
    lengths = new Uint16Array(slotCount * 2);
  }
  const rows = block.rows;
  const plainCounts = new Set<Slot>();
  out.clear();
  for (const slot of chains.unchainedSlots) {
    const isConstant = block.copyColumn(slot, 0, rows, column, 0);
    writeSlot(slot, column, isConstant, rows, index, constants);
  }
  for (const series of chains.histograms) {
    if (!writeChain(series, block, slotCount, index, constants)) plainCounts.add(series.count);
  }
  const contents = { ...position, rows, plainCounts: plainCounts.size > 0 ? plainCounts : null };
  return new Chunk(contents, out.view(), starts, lengths);
}

/** Writes the column of a slot: empty if the slot is constant and its value is recorded in `constants`. */
function writeSlot(
  slot: Slot,
  values: Float64Array,
  isConstant: boolean,
  rows: number,
  chunk: number,
  constants: ConstantSlots,
): void {
  const start = out.length;
  if (!isConstant || !constants.record(slot, chunk, values[0]!)) writeColumn(values, rows, out);
  starts[slot] = start;
  lengths[slot] = out.length - start;
}

/**
 * Writes the columns of a histogram's buckets and count as differences to the next lower column. Returns
 * false if they were written as values, because differences would be inexact.
 */
function writeChain(
  series: HistogramSeries,
  block: RowBlock,
  slotCount: number,
  chunk: number,
  constants: ConstantSlots,
): boolean {
  const chain = listChainSlots(series, slotCount);
  const rows = block.rows;
  chain.forEach((slot, at) => {
    if (at === chainColumns.length) chainColumns.push(new Float64Array(MAX_ROWS));
    isConstantColumn[at] = block.copyColumn(slot, 0, rows, chainColumns[at]!, 0);
  });
  const isDifferenced = canBeDifferenced(chain.length, rows);
  if (isDifferenced) {
    for (let at = chain.length - 1; at > 0; at--) subtractLower(at, rows);
  }
  chain.forEach((slot, at) => {
    writeSlot(slot, chainColumns[at]!, isConstantColumn[at]!, rows, chunk, constants);
  });
  return isDifferenced;
}

/**
 * Reports whether differences are exact: all values are integers, and in each row either all values are
 * present or none.
 */
function canBeDifferenced(length: number, rows: number): boolean {
  for (let at = 0; at < length; at++) {
    const values = chainColumns[at]!;
    const end = isConstantColumn[at]! && isConstantColumn[0]! ? 1 : rows;
    for (let row = 0; row < end; row++) {
      const value = values[row]!;
      const isAbsent = Number.isNaN(value);
      if (isAbsent !== Number.isNaN(chainColumns[0]![row]!)) return false;
      if (!isAbsent && !isPlainInteger(value)) return false;
    }
  }
  return true;
}

/** Reports whether a value is an integer other than -0 whose differences are exact. */
function isPlainInteger(value: number): boolean {
  return Math.trunc(value) === value && Math.abs(value) <= MAX_INTEGER && !Object.is(value, -0);
}

/** Replaces the values of a column with the differences to the next lower column. */
function subtractLower(at: number, rows: number): void {
  const values = chainColumns[at]!;
  const lower = chainColumns[at - 1]!;
  let isConstant = true;
  for (let row = 0; row < rows; row++) {
    values[row]! -= lower[row]!;
    if (!Object.is(values[row], values[0])) isConstant = false;
  }
  isConstantColumn[at] = isConstant;
}
