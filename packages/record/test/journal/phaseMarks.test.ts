import type { JournalMark } from '@org/scrape';
import { expect, test } from 'vitest';
import { MARK, readPhases } from '../../src/journal/phaseMarks.ts';

const createMark = (kind: string, atNs: bigint, data?: unknown): JournalMark =>
  data === undefined ? { kind, atNs } : { kind, atNs, data };

test('reads a complete run', () => {
  const settled = { boundary: 'start' };
  const phases = readPhases([
    createMark(MARK.settled, 1n, settled),
    createMark(MARK.profilingStart, 2n, { 0: 1n }),
    createMark(MARK.baseline, 3n, { 1: 3n }),
    createMark(MARK.external, 4n, { text: 'deploy' }),
    createMark(MARK.profilingEnd, 9n),
    createMark(MARK.closing, 10n, { 0: 10n }),
    createMark(MARK.scraping, 11n, { scrapes: 3 }),
    createMark(MARK.runEnd, 12n, { cancelled: false }),
  ]);
  expect(phases).toMatchObject({
    profilingStartNs: 2n,
    profilingEndNs: 9n,
    runEndNs: 12n,
    cancelled: false,
    recordFields: { marks: [{ text: 'deploy' }], settling: [settled], scraping: { scrapes: 3 } },
  });
  expect(phases.boundaries(0)).toEqual({ baseline_ns: 1n, closing_ns: 10n });
  expect(phases.boundaries(1)).toEqual({ baseline_ns: 3n });
});

test('replaces the start and its baselines if profiling started again', () => {
  const phases = readPhases([
    createMark(MARK.profilingStart, 2n, { 0: 1n, 1: 1n }),
    createMark(MARK.profilingStart, 5n, { 0: 4n }),
  ]);
  expect(phases.profilingStartNs).toBe(5n);
  expect(phases.boundaries(0)).toEqual({ baseline_ns: 4n });
  expect(phases.boundaries(1)).toEqual({});
});

test('treats a journal without an end as cancelled', () => {
  expect(readPhases([])).toMatchObject({ profilingStartNs: undefined, cancelled: true, recordFields: {} });
});

test('renames the fields of journals before 0.1.0', () => {
  const { recordFields } = readPhases([
    createMark(MARK.settled, 1n, { edge: 'end', outcome: 'gave_up', moving: ['c'], seconds: 1 }),
    createMark(MARK.external, 4n, { text: 'deploy', who: 'ci' }),
  ]);
  expect(recordFields).toEqual({
    settling: [{ boundary: 'end', outcome: 'timed_out', changing_metrics: ['c'], seconds: 1 }],
    marks: [{ text: 'deploy', sender: 'ci' }],
  });
});
