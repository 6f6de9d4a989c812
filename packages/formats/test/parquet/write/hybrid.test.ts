import fc from 'fast-check';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { describe, expect, test } from 'vitest';
import { ByteSink } from '../../../src/parquet/bytes.ts';
import { HybridDecoder } from '../../../src/parquet/read/hybrid.ts';
import { getBitWidth, HybridEncoder, writeLevels } from '../../../src/parquet/write/hybrid.ts';
import { NULL_CODE } from '../../../src/parquet/write/runs.ts';

type Run = readonly [code: number, length: number];

function encode(runs: readonly Run[], width: number): Uint8Array {
  const sink = new ByteSink();
  const encoder = new HybridEncoder(sink, width);
  for (const [code, length] of runs) encoder.add(code, length);
  encoder.finish();
  return sink.view().slice();
}

const listCodes = (runs: readonly Run[]) =>
  runs.flatMap(([code, length]) => Array<number>(length).fill(code));

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [256, 8],
  [257, 9],
  [1 << 20, 20],
])('getBitWidth(%i) is %i', (size, width) => {
  expect(getBitWidth(size)).toBe(width);
});

describe('codes', () => {
  test('that do not repeat are packed into a group of eight', () => {
    expect([
      ...encode(
        [
          [1, 1],
          [2, 1],
          [3, 1],
        ],
        8,
      ),
    ]).toEqual([3, 1, 2, 3, 0, 0, 0, 0, 0]);
  });

  test('that repeat are written as a run after the open group', () => {
    const runs: readonly Run[] = [
      [5, 1],
      [6, 100],
    ];
    // The open group takes 7 of the 100 values. The header of the run is 2 * 93 as a varint.
    expect([...encode(runs, 8)]).toEqual([3, 5, 6, 6, 6, 6, 6, 6, 6, 0xba, 0x01, 6]);
  });

  test('of any width and run length are read by HybridDecoder and hyparquet', () => {
    const cases = fc.integer({ min: 0, max: 24 }).chain(width =>
      fc.record({
        width: fc.constant(width),
        runs: fc.array(
          fc.tuple(
            fc.nat(2 ** width - 1),
            fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2000 })),
          ),
          {
            maxLength: 30,
          },
        ),
      }),
    );
    fc.assert(
      fc.property(cases, ({ width, runs }) => {
        const bytes = encode(runs, width);
        const expected = listCodes(runs);
        const decoded = new Int32Array(expected.length);
        new HybridDecoder(bytes, width).read(decoded, 0, decoded.length);
        expect([...decoded]).toEqual(expected);
        const decodedByPeer = new Array<number>(expected.length);
        const reader = { view: new DataView(bytes.buffer), offset: 0 };
        readRleBitPackedHybrid(reader, width, decodedByPeer, bytes.length);
        // At width 0, hyparquet leaves the output empty.
        if (width > 0) expect(decodedByPeer).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});

test('levels are encoded as runs, preceded by the length of the encoding in bytes', () => {
  const sink = new ByteSink();
  writeLevels(sink, Int32Array.of(9, 3, 4, NULL_CODE, 0, 9), Int32Array.of(9, 1, 2, 200, 5, 9), 1, 5);
  expect([...sink.view()]).toEqual([7, 0, 0, 0, 6, 1, 0x90, 0x03, 0, 10, 1]);
});
