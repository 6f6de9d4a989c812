import { expect, test } from 'vitest';
import { readStageTrends } from '../../src/requestTime/stageTrends.ts';

const SECOND_NS = 1_000_000_000;

/** Creates a stage with means by the start of their slices in seconds. */
function createStage(
  stage: 'queue' | 'decode',
  means: Readonly<Record<number, number>>,
): { stage: typeof stage; meanMs: number; share: number; slices: { startNs: bigint; meanMs: number }[] } {
  const slices = Object.entries(means).map(([startS, meanMs]) => ({
    startNs: BigInt(Number(startS) * SECOND_NS),
    meanMs,
  }));
  return { stage, meanMs: 1, share: 0.5, slices };
}

test('has one time axis for all stages, with gaps where no requests ended', () => {
  const stages = [createStage('queue', { 2: 10, 4: 20, 8: 30 }), createStage('decode', { 4: 5 })];
  const trends = readStageTrends({ stages });
  expect(trends.get('queue')).toEqual([10, 20, null, 30]);
  expect(trends.get('decode')).toEqual([null, 5, null, null]);
});

test.each([
  ['without timeslices', {}],
  ['with one timeslice, which is no trend', { 2: 10 }],
  ['with timeslices of very different lengths', { 0: 1, 0.000001: 2, 100: 3 }],
])('has no trends %s', (_, means) => {
  expect(readStageTrends({ stages: [createStage('queue', means)] }).size).toBe(0);
});
