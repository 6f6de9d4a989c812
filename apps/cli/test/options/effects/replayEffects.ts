import type { ObservedRun } from '../../support/observedRun.ts';
import { readDueTimes } from '../../support/recordedLines.ts';
import type { Effect } from './effect.ts';

/** The trace has a conversation of two turns, at 0 and 900 ms, and two conversations of one turn, at 300 and 2500 ms. */
const requires = '--input-file trace.parquet';

const readFields =
  (name: string) =>
  ({ requests }: ObservedRun): unknown[] =>
    requests.map(({ body }) => body[name]);
const countSessions = ({ requests }: ObservedRun): number =>
  new Set(requests.map(({ headers }) => headers['x-correlation-id'])).size;

/** The effects of the options for the replay of a baseten_trace. */
export const REPLAY_EFFECTS: Readonly<Record<string, Effect>> = {
  'trace-session-sample-ratio': {
    requires,
    observe: run => run.requests.length < 4,
    without: false,
    with: true,
  },
  // With --open-loop-strict, no turn waits for a response, which may be late on a busy machine.
  'replay-speedup': {
    requires: `${requires} --open-loop-strict`,
    observe: run => readDueTimes(run).toSorted((a, b) => a - b),
    without: [0, 300, 900, 2500],
    with: [0, 75, 225, 625],
  },
  'max-idle-gap-cap-seconds': {
    requires,
    observe: run => Math.max(...readDueTimes(run)),
    without: 2500,
    with: 1300,
  },
  // The option is the default, and contradicts its opposite.
  'open-loop-replay': {
    requires: `${requires} --no-open-loop-replay`,
    observe: run => run.code,
    without: 0,
    with: 2,
  },
  'no-open-loop-replay': {
    requires,
    observe: run => readDueTimes(run).includes(900),
    without: true,
    with: false,
  },
  'open-loop-strict': { requires, observe: countSessions, without: 3, with: 4 },
  'omit-kv-hints': {
    requires,
    observe: run => readFields('hash_ids')(run).filter(ids => ids !== undefined).length,
    without: 3,
    with: 0,
  },
  'force-min-tokens': {
    requires: `${requires} --no-force-min-tokens`,
    observe: run => run.code,
    without: 0,
    with: 2,
  },
  'no-force-min-tokens': {
    requires,
    observe: readFields('min_tokens'),
    without: [6, 3, 1, 5],
    with: [undefined, undefined, undefined, undefined],
  },
};
