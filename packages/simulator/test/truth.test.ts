import { expect, test } from 'vitest';
import { Engine } from '../src/engine/engine.ts';
import { TruthRecorder } from '../src/truth.ts';

test('returns observations recorded between two marks', () => {
  const recorder = new TruthRecorder();
  const early = recorder.getObservations('latency', [['engine', '0']]);
  for (let i = 0; i < 100; i++) early.push(i);
  const first = recorder.mark(5);
  early.push(100);
  const late = recorder.getObservations('latency', [['engine', '1']]);
  late.push(7);
  const second = recorder.mark(9);
  early.push(101);

  expect(recorder.getObservations('latency', [['engine', '0']])).toBe(early);
  const { fromNs, toNs, histograms } = recorder.selectBetween(first, second);
  expect([fromNs, toNs]).toEqual([5, 9]);
  expect(histograms.map(({ labels, values }) => [labels, [...values]])).toEqual([
    [[['engine', '0']], [100]],
    [[['engine', '1']], [7]],
  ]);
  expect(recorder.selectBetween(undefined, first).histograms[0]!.values).toHaveLength(100);
});

test('includes the last write of a request, even if the engine finished the request earlier', () => {
  const recorder = new TruthRecorder();
  const engine = new Engine({ seed: 1 });
  engine.observe({ onFinished: request => recorder.addRequest(request) });
  const request = engine.submit({ promptTokens: 8, outputTokens: 2, finishReason: 'length' });
  engine.advanceTo(1e9);
  const requestBefore = recorder.selectBetween(undefined, recorder.mark(1e9)).requests[0]!;
  expect(requestBefore).toMatchObject({ id: request.id, outputTokens: 2, lastWrittenNs: Number.NaN });
  request.delivery.lastWrittenNs = 2e9;
  const [requestAfter] = recorder.selectBetween(undefined, recorder.mark(2e9)).requests;
  expect(requestAfter).toEqual({ ...requestBefore, lastWrittenNs: 2e9 });
});
