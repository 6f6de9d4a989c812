import type { HistogramSeries, Slot } from '../layout/layout.ts';
import { PackWriter } from './bitPacking.ts';
import { Chunk } from './chunk.ts';
import { MOST_INTEGER, MOST_ROWS, writeColumn } from './columnCodec.ts';
import type { Constants } from './constantSlots.ts';
import { type Chains, chainOf } from './cumulativeChains.ts';
import type { Block } from './rowBlock.ts';

// Work space, shared by all endpoints: chunks are made one at a time.
const out = new PackWriter();
const column = new Float64Array(MOST_ROWS);
let starts = new Uint32Array(1024);
let lengths = new Uint16Array(1024);
const members: Float64Array[] = [];
const constant: boolean[] = [];

/** Compresses the rows of a block; `slotCount` is how many slots the layout has. */
export function sealed(
  block: Block,
  place: { readonly index: number; readonly first: number; readonly slotCount: number },
  chains: Chains,
  constants: Constants,
): Chunk {
  const { index, slotCount } = place;
  if (slotCount > starts.length) {
    starts = new Uint32Array(slotCount * 2);
    lengths = new Uint16Array(slotCount * 2);
  }
  const rows = block.rows;
  const plain = new Set<Slot>();
  out.clear();
  for (const slot of chains.single) {
    const isConstant = block.column(slot, 0, rows, column, 0);
    put(slot, column, isConstant, rows, index, constants);
  }
  for (const series of chains.histograms) {
    if (!putChain(series, block, slotCount, index, constants)) plain.add(series.count);
  }
  const whole = { ...place, rows, plain: plain.size > 0 ? plain : null };
  return new Chunk(whole, out.written(), starts, lengths);
}

function put(
  slot: Slot,
  values: Float64Array,
  isConstant: boolean,
  rows: number,
  chunk: number,
  constants: Constants,
): void {
  const start = out.length;
  if (!isConstant || !constants.keep(slot, chunk, values[0]!)) writeColumn(values, rows, out);
  starts[slot] = start;
  lengths[slot] = out.length - start;
}

/** False when the columns had to be kept as they are. */
function putChain(
  series: HistogramSeries,
  block: Block,
  slotCount: number,
  chunk: number,
  constants: Constants,
): boolean {
  const chain = chainOf(series, slotCount);
  const rows = block.rows;
  chain.forEach((slot, at) => {
    if (at === members.length) members.push(new Float64Array(MOST_ROWS));
    constant[at] = block.column(slot, 0, rows, members[at]!, 0);
  });
  const isDifferenced = canBeDifferenced(chain.length, rows);
  if (isDifferenced) {
    for (let at = chain.length - 1; at > 0; at--) subtract(at, rows);
  }
  chain.forEach((slot, at) => {
    put(slot, members[at]!, constant[at]!, rows, chunk, constants);
  });
  return isDifferenced;
}

/** Differences come back exactly when all values are integers, and a row has all of them or none. */
function canBeDifferenced(length: number, rows: number): boolean {
  for (let at = 0; at < length; at++) {
    const values = members[at]!;
    const end = constant[at]! && constant[0]! ? 1 : rows;
    for (let row = 0; row < end; row++) {
      const value = values[row]!;
      const isAbsent = Number.isNaN(value);
      if (isAbsent !== Number.isNaN(members[0]![row]!)) return false;
      if (!isAbsent && !isPlainInteger(value)) return false;
    }
  }
  return true;
}

function isPlainInteger(value: number): boolean {
  return Math.trunc(value) === value && Math.abs(value) <= MOST_INTEGER && !Object.is(value, -0);
}

function subtract(at: number, rows: number): void {
  const values = members[at]!;
  const lower = members[at - 1]!;
  let isConstant = true;
  for (let row = 0; row < rows; row++) {
    values[row]! -= lower[row]!;
    if (!Object.is(values[row], values[0])) isConstant = false;
  }
  constant[at] = isConstant;
}
