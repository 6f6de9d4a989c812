import { expect, test } from 'vitest';
import { LOAD_MARK, readLoad } from '../../src/journal/loadMarks.ts';

const start = { kind: LOAD_MARK.started, atNs: 1n, data: { warmupCutOff: 2, running: 3 } };

test('reads the start and the end of a load', () => {
  const summary = {
    originNs: 0n,
    phases: [{ phase: 'profiling', stopReason: 'requests' }],
    wasCancelled: false,
  };
  const end = { kind: LOAD_MARK.ended, atNs: 9n, data: { warmupCutOff: 2, summary } };
  expect(readLoad([start, end])).toEqual({
    start: { warmupCutOff: 2, running: 3 },
    end: { warmupCutOff: 2, summary, atNs: 9n },
  });
});

test('omits values that a killed run did not record', () => {
  expect(readLoad([])).toEqual({});
  expect(readLoad([start])).toEqual({ start: { warmupCutOff: 2, running: 3 } });
});

test('renames the fields of earlier versions', () => {
  const spread = { p99Ns: 1, maxNs: 2 };
  const summary = {
    eventLoopLag: spread,
    sendLateness: spread,
    silentEnds: 4,
    lost: [],
    phases: [{ phase: 'profiling', stopped: 'duration' }],
  };
  const { end } = readLoad([{ kind: LOAD_MARK.ended, atNs: 9n, data: { summary } }]);
  expect(end!.summary).toEqual({
    eventLoopDelay: spread,
    sendDelay: spread,
    missingEndMarkers: 4,
    lostWorkers: [],
    phases: [{ phase: 'profiling', stopReason: 'duration' }],
  });
});
