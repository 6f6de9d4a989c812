import type { ObservedRun } from '../../support/observedRun.ts';
import type { Effect } from './effect.ts';

const RUNS = '--num-profile-runs 3 --request-count 2';
const METRIC = `${RUNS} --convergence-metric output_sequence_length`;

const readConvergence = ({ readJson }: ObservedRun) =>
  readJson('aggregate/profile_export_aiperf_aggregate.json').metadata.convergence;

/** The effects of options that end repeated runs early, or combine lists. All responses have the same length. */
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
  'sweep-type': {
    requires: '--concurrency 1,2 --isl 5,10 --request-count 2',
    observe: ({ requests }) => requests.length,
    without: 8,
    with: 4,
  },
};
