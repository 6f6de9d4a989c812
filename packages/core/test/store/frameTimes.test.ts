import { expect, it } from 'vitest';
import { FrameTimes } from '../../src/store/frameTimes.ts';

it('keeps frames in the order of arrival if their times ascend', () => {
  const times = new FrameTimes();
  for (const timestampNs of [1n, 2n, 2n]) times.append(timestampNs, 5, false);
  expect(times.order()).toBeNull();
  expect([...times.offsetsNs()]).toEqual([0, 1, 1]);
});

it('sorts unordered frames by time, with equal times in the order of arrival', () => {
  const times = new FrameTimes();
  times.append(10n, 1, true);
  times.append(7n, 2, false);
  times.append(10n, 3, false);
  expect(times.originNs).toBe(10n);
  expect([...times.order()!]).toEqual([1, 0, 2]);
  expect([...times.offsetsNs()]).toEqual([-3, 0, 0]);
  expect([...times.latenciesNs()]).toEqual([2, 1, 3]);
  expect([...times.changed()]).toEqual([0, 1, 0]);
});

it('stores a thousand frames', () => {
  const times = new FrameTimes();
  for (let at = 0; at < 1000; at++) times.append(BigInt(at), at, at % 2 === 0);
  expect(times.length).toBe(1000);
  expect(times.latenciesNs()[999]).toBe(999);
});
