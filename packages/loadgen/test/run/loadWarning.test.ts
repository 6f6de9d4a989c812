import { expect, test } from 'vitest';
import type { TimeSpread } from '../../src/run/eventLoopDelay.ts';
import { type ClientFigures, warningsFor } from '../../src/run/loadWarning.ts';

const spread = (p99Ms: number): TimeSpread => ({
  count: 9,
  meanNs: 0,
  p50Ns: 0,
  p99Ns: p99Ms * 1e6,
  maxNs: p99Ms * 1e6,
});
const calm: ClientFigures = { lag: spread(0.2), busy: 0.3, lateness: spread(0.1), medianFirstTokenNs: 20e6 };

test.each([
  [{}, []],
  [{ lag: spread(1.5) }, ['event_loop_lag']],
  // One in a hundred of what is measured does no harm.
  [{ lag: spread(1.5), medianFirstTokenNs: 200e6 }, []],
  [{ busy: 0.9 }, ['client_busy']],
  [{ lateness: spread(2) }, ['late_sends']],
  [{ silentEnds: 1 }, ['silent_ends']],
  // Nothing was sent.
  [{ busy: 1, lag: spread(9), lateness: { ...spread(0), count: 0 } }, []],
])('%j', (more, kinds) => {
  const warnings = warningsFor({ ...calm, ...more });
  expect(warnings.map(({ kind }) => kind)).toEqual(kinds);
  for (const { message } of warnings) expect(message).toMatch(/\d/);
});
