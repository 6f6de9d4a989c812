import type { Dimension, Probe, Step } from '../search.ts';
import type { BoundarySettings } from './boundarySettings.ts';
import { type Bracket, computeMedian, type Evidence, findBracket, groupProbes } from './evidence.ts';
import { findUncertainValue } from './findUncertainValue.ts';
import { judgeEvidence, listConflicts } from './judgeEvidence.ts';

/**
 * Returns the next step of a search for the highest value of a parameter at which all limits hold. The step depends only on
 * the probes so far, in order:
 *
 * 1. From the lowest value, each probe doubles the value until a limit fails.
 * 2. The bracket around the boundary is divided at the zero of the interpolated margins, or in the middle if they are
 *    unknown or if the interpolation no longer shrinks one side.
 * 3. The values on both sides are repeated. If a repeat changes a verdict, the search continues at step 2.
 * 4. If an end of the interval is farther from the estimate than the precision, a value at about this distance is probed as often.
 *
 * If a value failed and a higher one passed, both are repeated first. If they still contradict each other beyond the noise of
 * the repeats, the search ends, because the limit then does not depend on the parameter alone.
 */
export function planBoundary(probes: readonly Probe[], settings: BoundarySettings): Step {
  const last = probes.at(-1);
  if (last?.verdict === 'unknown') return { kind: 'stop', reason: 'unknown_verdict' };
  const step = planStep(probes, settings);
  if (step.kind === 'probe' && probes.length >= settings.maxProbes)
    return { kind: 'stop', reason: 'max_iterations' };
  return step;
}

function planStep(probes: readonly Probe[], settings: BoundarySettings): Step {
  const { dimension, replicates } = settings;
  const grouped = groupProbes(probes);
  if (grouped.length === 0) return probeOnce(dimension.low);
  const contradicting = repeat(
    listConflicts(grouped).flatMap(({ failed, passed }) => [failed, passed]),
    replicates,
  );
  if (contradicting) return contradicting;
  const { evidence, isMonotonic } = judgeEvidence(grouped, settings.level);
  if (!isMonotonic) return stop('non_monotonic');
  const { passed, failed } = findBracket(evidence);
  if (failed === undefined)
    return passed!.value < dimension.high
      ? probeOnce(Math.min(dimension.high, increase(passed!.value, dimension)))
      : (repeat([passed!], replicates) ?? stop('no_failure_in_range'));
  if (passed === undefined) return repeat([failed], replicates) ?? stop('no_pass_in_range');
  const next = divide({ passed, failed }, probes, settings);
  if (next !== undefined) return probeOnce(next);
  const repeated = repeat([passed, failed], replicates);
  if (repeated) return repeated;
  // The precision is reached; without further probes, only the interval stays wide.
  const uncertain = probes.length < settings.maxProbes ? findUncertainValue(probes, settings) : undefined;
  return uncertain === undefined ? stop('precision_reached') : probeFully(uncertain);
}

function probeOnce(value: number): Step {
  return { kind: 'probe', values: [value], mayEndEarly: true };
}

/** Returns a probe that runs to its end, so that its margin is known. */
function probeFully(value: number): Step {
  return { kind: 'probe', values: [value], mayEndEarly: false };
}

function stop(reason: Extract<Step, { kind: 'stop' }>['reason']): Step {
  return { kind: 'stop', reason };
}

/** Repeats the value with the fewest measured probes; undefined without values, or if all have enough of them. */
function repeat(values: readonly Evidence[], replicates: number): Step | undefined {
  const [least] = [...values].sort((a, b) => a.measured - b.measured);
  return least && least.measured < replicates ? probeFully(least.value) : undefined;
}

/** Doubles a value. A range that begins at 0 has no value to double, so it begins with a hundredth of the range. */
function increase(value: number, { low, high, isInteger }: Dimension): number {
  const start = Math.max(0, value) || (high - low) / 100;
  const next = value > 0 ? 2 * value : start;
  return isInteger ? Math.ceil(next) : next;
}

/** Share of the bracket that a probe leaves on each side at least, so that both sides shrink. */
const MIN_SHARE = 0.1;

/** Returns the value that divides the bracket next; undefined if the bracket is narrow enough. */
function divide(
  { passed, failed }: Required<Bracket>,
  probes: readonly Probe[],
  { dimension, precision }: BoundarySettings,
): number | undefined {
  const gap = failed.value - passed.value;
  if (gap <= precision * Math.abs(failed.value) || (dimension.isInteger && gap <= 1)) return undefined;
  const share = isStuck(probes) ? 0.5 : (interpolate(passed, failed) ?? 0.5);
  const value = passed.value + gap * Math.min(1 - MIN_SHARE, Math.max(MIN_SHARE, share));
  if (!dimension.isInteger) return value;
  return Math.min(failed.value - 1, Math.max(passed.value + 1, Math.round(value)));
}

/** Returns the position of the zero between two values, as a share of their distance. */
function interpolate(passed: Evidence, failed: Evidence): number | undefined {
  if (passed.margins.length === 0 || failed.margins.length === 0) return undefined;
  const [below, above] = [computeMedian(passed.margins), computeMedian(failed.margins)];
  return above > below ? -below / (above - below) : undefined;
}

/** Reports whether the last two probes had the same verdict, so that the other side of the bracket has not moved. */
function isStuck(probes: readonly Probe[]): boolean {
  const [previous, last] = probes.slice(-2);
  return (
    previous !== undefined &&
    last !== undefined &&
    previous.verdict === last.verdict &&
    previous.values[0] !== last.values[0]
  );
}
