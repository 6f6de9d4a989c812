import type { OptionSamples } from './optionSamples.ts';

const METRIC = '--num-profile-runs 3 --convergence-metric output_sequence_length';

/** Options of `servelens profile` that end repeated runs early, or run several variations. */
export const CONVERGENCE_SAMPLES: OptionSamples = {
  'convergence-metric': {
    words: '--convergence-metric output_sequence_length',
    requires: '--num-profile-runs 3',
  },
  'convergence-stat': { words: '--convergence-stat std', requires: METRIC },
  'convergence-mode': { words: '--convergence-mode cv', requires: METRIC },
  'convergence-threshold': { words: '--convergence-threshold 0.5', requires: METRIC },
  'parameter-sweep-cooldown-seconds': {
    words: '--parameter-sweep-cooldown-seconds 0.2',
    requires: '--concurrency 1,2',
  },
  variant: { words: '--variant a:isl=5 --variant b:isl=6' },
  'sweep-type': { words: '--sweep-type zip', requires: '--concurrency 1,2 --isl 5,10' },
};
