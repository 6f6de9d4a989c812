import { describe, expect, it } from 'vitest';
import { ConstantSlots } from '../../src/store/constantSlots.ts';

const ABSENT = Number.NaN;

/** Values of a slot, chunk by chunk. */
const CASES: readonly (readonly [name: string, values: readonly number[]])[] = [
  ['absent from the start', [ABSENT, ABSENT]],
  ['the same in every chunk', [7, 7, 7]],
  ['different in every chunk', [1, 2, 3]],
  ['reset to an earlier value', [7, 7, 8, 7, 8, 8]],
  ['absent for a while', [7, 7, ABSENT, ABSENT, 7]],
  ['0, then -0', [0, 0, -0, -0, 0]],
];

describe('ConstantSlots', () => {
  it.each(CASES)('returns the values of a slot that is %s', (_name, values) => {
    const constants = new ConstantSlots();
    values.forEach((value, chunk) => {
      expect(constants.record(5, chunk, value)).toBe(true);
    });
    for (let first = 0; first < values.length; first++) {
      const read = constants.createReader(5, first);
      for (let chunk = first; chunk < values.length; chunk++) expect(read(chunk)).toBe(values[chunk]);
    }
  });

  it('keeps the values of many slots and chunks apart', () => {
    const constants = new ConstantSlots();
    const getValue = (slot: number, chunk: number): number => slot * 1000 + Math.floor(chunk / 2);
    for (let chunk = 0; chunk < 40; chunk++) {
      for (let slot = 0; slot < 200; slot += 3) constants.record(slot, chunk, getValue(slot, chunk));
    }
    for (let slot = 0; slot < 200; slot += 3) {
      const read = constants.createReader(slot, 0);
      for (let chunk = 0; chunk < 40; chunk++) expect(read(chunk)).toBe(getValue(slot, chunk));
    }
  });

  it('returns NaN for a slot without entries', () => {
    expect(new ConstantSlots().createReader(99, 0)(3)).toBeNaN();
  });

  it('rejects new values after freeze, but accepts the current value', () => {
    const constants = new ConstantSlots();
    constants.record(0, 0, 5);
    constants.freeze();
    expect(constants.record(0, 1, 5)).toBe(true);
    expect(constants.record(0, 2, 6)).toBe(false);
    expect(constants.record(1, 2, 5)).toBe(false);
    expect(constants.createReader(0, 0)(2)).toBe(5);
  });

  it('does not grow while the value is unchanged', () => {
    const constants = new ConstantSlots();
    constants.record(0, 0, 5);
    const { byteLength } = constants;
    for (let chunk = 1; chunk < 10_000; chunk++) expect(constants.record(0, chunk, 5)).toBe(true);
    expect(constants.byteLength).toBe(byteLength);
  });
});
