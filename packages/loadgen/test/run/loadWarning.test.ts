import { expect, test } from 'vitest';
import { type ClientStats, findWarnings } from '../../src/run/loadWarning.ts';
import type { TimeStats } from '../../src/run/timeHistogram.ts';

const createTimes = (p99Ms: number): TimeStats => ({
  count: 9,
  meanNs: 0,
  p50Ns: 0,
  p99Ns: p99Ms * 1e6,
  maxNs: p99Ms * 1e6,
});
const normal: ClientStats = {
  eventLoopDelay: createTimes(0.2),
  utilization: 0.3,
  sendDelay: createTimes(0.1),
  medianFirstTokenNs: 20e6,
};

test.each([
  [{}, []],
  [{ eventLoopDelay: createTimes(2.5) }, ['event_loop_delay']],
  // Delays up to 10% of the time to first token are tolerated.
  [{ eventLoopDelay: createTimes(1.5) }, []],
  [{ eventLoopDelay: createTimes(15), medianFirstTokenNs: 200e6 }, []],
  [{ utilization: 0.9 }, ['client_busy']],
  // No response was measured.
  [{ utilization: 0.9, medianFirstTokenNs: 0 }, []],
  [{ sendDelay: createTimes(3) }, ['send_delay']],
  [{ missingEndMarkers: 1 }, ['missing_end_markers']],
  [{ templateProblems: { requests: 1, reason: 'x' } }, ['chat_template']],
  // No requests were sent.
  [{ utilization: 1, eventLoopDelay: createTimes(9), sendDelay: { ...createTimes(0), count: 0 } }, []],
])('returns the warnings for %j', (changes, kinds) => {
  const warnings = findWarnings({ ...normal, ...changes });
  expect(warnings.map(({ kind }) => kind)).toEqual(kinds);
  for (const { message } of warnings) expect(message).toMatch(/\d/);
});

test('names the delay and its share of the response time', () => {
  const [warning] = findWarnings({ ...normal, eventLoopDelay: createTimes(5) });
  expect(warning!.message).toMatch(/5\.0 ms late \(p99: 25% of the median response time\)/);
});
