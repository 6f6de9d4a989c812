import { expect, test } from 'vitest';
import { TruthRecorder } from '../src/truth.ts';

test('what happened between two marks', () => {
  const recorder = new TruthRecorder();
  const early = recorder.observations('latency', [['engine', '0']]);
  for (let i = 0; i < 100; i++) early.push(i);
  const first = recorder.mark(5);
  early.push(100);
  const late = recorder.observations('latency', [['engine', '1']]);
  late.push(7);
  const second = recorder.mark(9);
  early.push(101);

  expect(recorder.observations('latency', [['engine', '0']])).toBe(early);
  const { fromNs, toNs, histograms } = recorder.between(first, second);
  expect([fromNs, toNs]).toEqual([5, 9]);
  expect(histograms.map(({ labels, values }) => [labels, [...values]])).toEqual([
    [[['engine', '0']], [100]],
    [[['engine', '1']], [7]],
  ]);
  expect(recorder.between(undefined, first).histograms[0]!.values).toHaveLength(100);
});
