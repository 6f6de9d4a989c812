import type { ObservedRun } from '../../support/observedRun.ts';
import type { Effect } from './effect.ts';

const RUNS = '--num-profile-runs 3 --request-count 2';
const METRIC = `${RUNS} --convergence-metric output_sequence_length`;

const readConvergence = ({ readJson }: ObservedRun) =>
  readJson('aggregate/profile_export_aiperf_aggregate.json').metadata.convergence;

/** The effects of options that end repeated runs early, or run several variations. All responses have the same length. */
export const CONVERGENCE_EFFECTS: Readonly<Record<string, Effect>> = {
  'convergence-metric': {
    requires: RUNS,
    observe: ({ requests, err }) => [
      requests.length,
      /converged after 2 runs: .*1 further run skipped/.test(err),
    ],
    without: [6, false],
    with: [4, true],
  },
  'convergence-stat': {
    requires: METRIC,
    // A mean of 0 has no relative width.
    observe: ({ requests }) => requests.length,
    without: 4,
    with: 6,
  },
  'convergence-mode': {
    requires: METRIC,
    observe: run => readConvergence(run).mode,
    without: 'ci_width',
    with: 'cv',
  },
  'convergence-threshold': {
    requires: METRIC,
    observe: run => readConvergence(run).threshold,
    without: 0.1,
    with: 0.5,
  },
  'parameter-sweep-cooldown-seconds': {
    requires: '--concurrency 1,2 --request-count 1',
    observe: ({ err }) => /cooling down 200 ms/.test(err),
    without: false,
    with: true,
  },
  variant: {
    words: '--variant short:isl=5 --variant long:isl=8',
    requires: '--request-count 2',
    observe: ({ requests, files }) => [
      new Set(requests.map(({ body }) => body.messages[0].content.split(' ').length)),
      files.includes('long/profile_export_aiperf.json'),
    ],
    without: [new Set([10]), false],
    with: [new Set([5, 8]), true],
  },
  'sweep-type': {
    requires: '--concurrency 1,2 --isl 5,10 --request-count 2',
    observe: ({ requests }) => requests.length,
    without: 8,
    with: 4,
  },
};
