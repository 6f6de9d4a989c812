/**
 * `rows` strings as a page body in DELTA_BYTE_ARRAY: the first has `length` bytes, and the others are its prefix of that
 * length. It takes a few bits a string.
 */
export function repeatedStrings(rows: number, length: number): Buffer {
  return Buffer.concat([
    Buffer.from(thenConstant(rows, 0, length)),
    Buffer.from(thenConstant(rows, length, 0)),
    Buffer.alloc(length, 'x'),
  ]);
}

/** DELTA_BINARY_PACKED of `first` and then `rest` in all other rows; blocks of 128 values in 4 parts. */
function thenConstant(rows: number, first: number, rest: number): number[] {
  const step = rest - first;
  const blocks = Math.ceil((rows - 1) / 128);
  const constantBlock = [0, 0, 0, 0, 0];
  const header = [...varint(128), ...varint(4), ...varint(rows), ...varint(zigzag(first))];
  return [...header, ...firstBlock(step), ...Array.from({ length: blocks - 1 }, () => constantBlock).flat()];
}

/** A block whose first delta is `step` and whose others are 0, above the smaller of the two. */
function firstBlock(step: number): number[] {
  const smallest = Math.min(step, 0);
  const parts = step < 0 ? 4 : 1;
  const deltas = Uint32Array.from({ length: 32 * parts }, (_, i) => (i === 0 ? step : 0) - smallest);
  const widths = [0, 1, 2, 3].map(part => (part < parts ? 32 : 0));
  return [...varint(zigzag(smallest)), ...widths, ...new Uint8Array(deltas.buffer)];
}

function zigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
