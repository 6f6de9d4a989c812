import { flag, type OptionTable, option } from '@org/terminal/program';

/** Maximum of --num-profile-runs, as in AIPerf. */
export const MAX_PROFILE_RUNS = 10;

/** Repeated runs and sweeps. */
export const REPEAT_OPTIONS: OptionTable = {
  'num-profile-runs': option(
    'N',
    `Number of runs of the same benchmark, up to ${MAX_PROFILE_RUNS}; several runs give confidence intervals`,
    { defaultText: '1' },
  ),
  'profile-run-cooldown-seconds': option('SECONDS', 'Pause between runs in seconds', { defaultText: '0' }),
  'confidence-level': option('LEVEL', 'Confidence level of intervals, between 0 and 1', {
    defaultText: '0.95',
  }),
  'parameter-sweep-mode': option(
    'MODE',
    'Order of runs in a sweep: repeat the whole sweep (repeated), or all runs of a variation before the next (independent)',
    {
      choices: ['repeated', 'independent'],
      defaultText: 'repeated',
    },
  ),
  'parameter-sweep-same-seed': flag(
    'Use the same seed for all variations; by default, the index of the variation is added',
  ),
  'vary-seed-per-trial': flag('Use a different seed for each run of a variation'),
};
