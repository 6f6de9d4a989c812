import { describe, expect, it } from 'vitest';
import { Constants } from '../../src/store/constantSlots.ts';

const NONE = Number.NaN;

/** What a slot is in the chunks in which it is constant, chunk by chunk; whether each is kept here. */
const CASES: readonly (readonly [string, readonly (readonly [value: number, kept: boolean])[]])[] = [
  [
    'absent from the start',
    [
      [NONE, true],
      [NONE, true],
    ],
  ],
  [
    'new, then the same',
    [
      [7, false],
      [7, true],
      [7, true],
    ],
  ],
  [
    'always new',
    [
      [1, false],
      [2, false],
      [3, false],
    ],
  ],
  [
    'back at what it was',
    [
      [7, false],
      [7, true],
      [8, false],
      [7, true],
      [8, true],
      [8, true],
    ],
  ],
  [
    'gone and back',
    [
      [7, false],
      [7, true],
      [NONE, true],
      [NONE, true],
      [7, true],
    ],
  ],
  [
    '0, then -0',
    [
      [0, false],
      [0, true],
      [-0, false],
      [-0, true],
      [0, false],
    ],
  ],
];

describe('constants', () => {
  it.each(CASES)('of a slot that is %s', (_name, chunks) => {
    const constants = new Constants();
    const kept = chunks.map(([value], chunk) => constants.keep(5, chunk, value));
    expect(kept).toEqual(chunks.map(([, each]) => each));
    for (let first = 0; first < chunks.length; first++) {
      const at = constants.from(5, first);
      for (let chunk = first; chunk < chunks.length; chunk++) {
        if (kept[chunk]) expect(at(chunk)).toBe(chunks[chunk]![0]);
      }
    }
  });

  it('of many slots and chunks do not mix', () => {
    const constants = new Constants();
    const numberOf = (slot: number, chunk: number): number => slot * 1000 + Math.floor(chunk / 2);
    const kept = new Set<string>();
    for (let chunk = 0; chunk < 40; chunk++) {
      for (let slot = 0; slot < 200; slot += 3) {
        if (constants.keep(slot, chunk, numberOf(slot, chunk))) kept.add(`${slot} ${chunk}`);
      }
    }
    expect(kept.size).toBe(67 * 20);
    for (let slot = 0; slot < 200; slot += 3) {
      const at = constants.from(slot, 0);
      for (let chunk = 0; chunk < 40; chunk++) {
        if (kept.has(`${slot} ${chunk}`)) expect(at(chunk)).toBe(numberOf(slot, chunk));
      }
    }
  });

  it('of a slot of which nothing was said are absent', () => {
    expect(new Constants().from(99, 0)(3)).toBeNaN();
  });

  it('take no more room while nothing changes', () => {
    const constants = new Constants();
    constants.keep(0, 0, 5);
    constants.keep(0, 1, 5);
    const { byteLength } = constants;
    for (let chunk = 2; chunk < 10_000; chunk++) expect(constants.keep(0, chunk, 5)).toBe(true);
    expect(constants.byteLength).toBe(byteLength);
  });
});
