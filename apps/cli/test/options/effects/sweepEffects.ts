import type { Effect } from './effect.ts';
import { getPrompts, hasLine, unique } from './observations.ts';

/** The effects of the options for several runs. */
export const SWEEP_EFFECTS: Readonly<Record<string, Effect>> = {
  'num-profile-runs': { observe: ({ requests }) => requests.length, without: 10, with: 20 },
  'profile-run-disable-warmup-after-first': {
    observe: ({ requests }) => requests.length,
    without: 7,
    with: 10,
  },
  'profile-run-cooldown-seconds': { observe: hasLine(/cooling down 300 ms/), without: false, with: true },
  'confidence-level': {
    observe: ({ readJson }) =>
      readJson('aggregate/profile_export_aiperf_aggregate.json').metadata.confidence_level,
    without: 0.95,
    with: 0.5,
  },
  'parameter-sweep-mode': {
    requires: '--concurrency 1,2 --num-profile-runs 2 --request-count 2',
    observe: ({ err }) =>
      [...err.matchAll(/run \d of 4: .*concurrency[_ =](\d)/g)].map(([, n]) => n).join(''),
    without: '1212',
    with: '1122',
  },
  'parameter-sweep-same-seed': {
    requires: '--concurrency 1,2 --request-count 2',
    observe: run => unique(getPrompts(run)).length,
    without: 4,
    with: 2,
  },
  'vary-seed-per-trial': {
    requires: '--num-profile-runs 2 --request-count 2',
    observe: run => unique(getPrompts(run)).length,
    without: 2,
    with: 4,
  },
};
