import { expect, test } from 'vitest';
import { LOAD_MARK, readLoad } from '../../src/journal/loadMarks.ts';

test('reads the start and the end of the load', () => {
  const start = { warmupCutOff: 1, running: 2 };
  const end = { warmupCutOff: 1, summary: { originNs: 5n } };
  const load = readLoad([
    { kind: LOAD_MARK.started, atNs: 3n, data: start },
    { kind: LOAD_MARK.ended, atNs: 9n, data: end },
  ]);
  expect(load).toEqual({ start, end: { ...end, atNs: 9n } });
});

test('omits what a killed run did not write', () => {
  expect(readLoad([])).toEqual({});
});
