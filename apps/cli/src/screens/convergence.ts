import { formatCount } from '@org/core';
import type { Convergence } from '@org/formats';

/** Formats how far repeated runs have converged, such as `converged after 3 runs: ...`. */
export function formatConvergence(convergence: Convergence, remaining: number): string {
  const { metric, stat, mode, threshold, runs, value, converged } = convergence;
  const name = stat === undefined ? metric : `${metric} ${stat}`;
  const planned = remaining > 0 ? `; ${formatCount(remaining, 'further run')} skipped` : '';
  if (value === null)
    return `not converged after ${formatCount(runs, 'successful run')}: ${runs < 2 ? 'two runs are required' : `no figures of ${name}`}`;
  const comparison = `${MODE_NAMES[mode]} of ${name} is ${formatRatio(value, mode)}, ${describeLimit(mode)} ${formatRatio(threshold, mode)}`;
  return converged
    ? `converged after ${formatCount(runs, 'run')}: ${comparison}${planned}`
    : `not converged after ${formatCount(runs, 'run')}: ${comparison} is required`;
}

const MODE_NAMES: Readonly<Record<Convergence['mode'], string>> = {
  ci_width: 'width of the confidence interval',
  cv: 'coefficient of variation',
  distribution: 'p-value of equal distributions',
};

function describeLimit(mode: Convergence['mode']): string {
  return mode === 'distribution' ? 'above' : 'below';
}

function formatRatio(value: number, mode: Convergence['mode']): string {
  return mode === 'distribution' ? value.toPrecision(2) : `${(100 * value).toFixed(1)}%`;
}
