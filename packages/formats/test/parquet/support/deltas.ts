/**
 * Returns a page body in DELTA_BYTE_ARRAY with `rows` strings: the first has `length` bytes, and the others
 * repeat it. Each additional string takes less than one bit.
 */
export function encodeRepeatedStrings(rows: number, length: number): Buffer {
  return Buffer.concat([
    Buffer.from(encodeConstantAfterFirst(rows, 0, length)),
    Buffer.from(encodeConstantAfterFirst(rows, length, 0)),
    Buffer.alloc(length, 'x'),
  ]);
}

/**
 * Encodes `first` in the first row and `others` in all other rows as DELTA_BINARY_PACKED, with blocks of 128
 * values in 4 miniblocks.
 */
function encodeConstantAfterFirst(rows: number, first: number, others: number): number[] {
  const step = others - first;
  const blocks = Math.ceil((rows - 1) / 128);
  const constantBlock = [0, 0, 0, 0, 0];
  const header = [
    ...encodeVarint(128),
    ...encodeVarint(4),
    ...encodeVarint(rows),
    ...encodeVarint(encodeZigzag(first)),
  ];
  return [
    ...header,
    ...encodeFirstBlock(step),
    ...Array.from({ length: blocks - 1 }, () => constantBlock).flat(),
  ];
}

/** Encodes a block whose first delta is `step` and whose other deltas are 0. */
function encodeFirstBlock(step: number): number[] {
  const minDelta = Math.min(step, 0);
  const fullMiniblocks = step < 0 ? 4 : 1;
  const deltas = Uint32Array.from({ length: 32 * fullMiniblocks }, (_, i) => (i === 0 ? step : 0) - minDelta);
  const widths = [0, 1, 2, 3].map(index => (index < fullMiniblocks ? 32 : 0));
  return [...encodeVarint(encodeZigzag(minDelta)), ...widths, ...new Uint8Array(deltas.buffer)];
}

function encodeZigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2;
}

function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  let remaining = value;
  for (; remaining > 0x7f; remaining = Math.floor(remaining / 128)) bytes.push((remaining % 128) | 0x80);
  return [...bytes, remaining];
}
