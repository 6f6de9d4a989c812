import {
  CONVERGENCE_MODES,
  CONVERGENCE_THRESHOLDS,
  type ConvergenceMode,
  type ConvergenceRule,
} from '@org/run';
import { UsageError } from '@org/terminal';
import { type OptionTable, option, type RawOptions, readNumber, readText } from '@org/terminal/program';

/** The statistics of a metric in one run. */
const CONVERGENCE_STATS: readonly string[] = ['avg', 'p50', 'p90', 'p95', 'p99', 'min', 'max', 'std'];

/** Options that end repeated runs early. */
export const CONVERGENCE_OPTIONS: OptionTable = {
  'convergence-metric': option(
    'METRIC',
    'End the runs before --num-profile-runs when this metric has converged, such as time_to_first_token',
  ),
  'convergence-stat': option(
    'STATISTIC',
    'Statistic of --convergence-metric in each run, such as avg or p99',
    {
      choices: CONVERGENCE_STATS,
      defaultText: 'avg',
    },
  ),
  'convergence-mode': option(
    'MODE',
    'Rule of convergence: relative width of the confidence interval (ci_width), coefficient of variation (cv), or equal distributions of the requests of the last run and of all runs before (distribution)',
    { choices: CONVERGENCE_MODES, defaultText: 'ci_width' },
  ),
  'convergence-threshold': option(
    'RATIO',
    'Threshold of the rule, between 0 and 1: the width and the coefficient must be below it, the p-value of equal distributions above it',
    { defaultText: '0.1 for ci_width, otherwise 0.05' },
  ),
};

/** Reads the rule that ends repeated runs early. Throws `UsageError` if an option is invalid. */
export function readConvergence(raw: RawOptions): ConvergenceRule | undefined {
  const metric = readText(raw, 'convergence-metric', 'the tag of a metric, such as time_to_first_token');
  if (metric === undefined) return undefined;
  const mode = (raw['convergence-mode'] ?? 'ci_width') as ConvergenceMode;
  if (mode === 'distribution' && raw['export-level'] === 'summary')
    throw new UsageError(
      'cannot use --convergence-mode distribution with --export-level summary, which omits requests',
    );
  const threshold = readNumber(raw, 'convergence-threshold', { above: 0, below: 1 });
  return {
    metric,
    stat: String(raw['convergence-stat'] ?? 'avg'),
    mode,
    threshold: threshold ?? CONVERGENCE_THRESHOLDS[mode],
  };
}
