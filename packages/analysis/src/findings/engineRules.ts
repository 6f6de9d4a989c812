import { formatNumber, formatPercent, formatValue } from '@org/core';
import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';
import { readObservations } from '../servers/observations.ts';
import { computeTotal, findServerInstances, type ServerInstance } from '../servers/serverInstance.ts';
import { createRunRule, createServerRule, type Evidence, type FindingRule } from './rule.ts';
import { findRange } from './timeRange.ts';

/** Rules on the state of each engine: whether it was awake, computed correctly, and did useful work. */
export const ENGINE_RULES: readonly FindingRule[] = [
  createRunRule(
    {
      id: 'sleeping-engine',
      severity: 'problem',
      title: 'an engine was asleep',
      advice:
        'The run does not measure a server that is ready: wake the engine, wait until it is loaded, and repeat the run.',
      thresholds: { share: { value: 0, meaning: 'maximum fraction of profiling' } },
    },
    (run, limits) =>
      findServerInstances(run).flatMap(instance =>
        instance.series('awake').flatMap(series => describeSleep(run, instance, series, limits.share)),
      ),
  ),
  createServerRule(
    {
      id: 'corrupted-output',
      severity: 'problem',
      title: 'requests have corrupted output',
      advice:
        'The model computed NaN, so that the text is meaningless: do not use the results. Check the weights, the quantization and the GPU.',
      thresholds: { total: { value: 0, meaning: 'maximum in the run' } },
    },
    (instance, limits) => {
      const corrupted = computeTotal(instance, 'corruptedRequests') ?? 0;
      if (corrupted <= limits.total) return undefined;
      const completed = computeTotal(instance, 'completedRequests');
      const ofAll = completed === undefined ? '' : ` of ${formatNumber(completed)} completed requests`;
      return {
        text: `NaN in the output of ${formatNumber(corrupted)}${ofAll}`,
        numbers: { corrupted, ...(completed !== undefined && { completed }) },
        magnitude: corrupted,
      };
    },
  ),
  createServerRule(
    {
      id: 'useless-speculation',
      severity: 'warning',
      title: 'speculative decoding saves nothing',
      advice:
        'Drafts are computed and verified, but rarely accepted: use another method of drafting, shorter drafts, or none. Drafts depend on the text: measure with real prompts and weights.',
      thresholds: {
        rate: { value: 0.1, meaning: 'maximum acceptance rate, as the upper bound of its 95% interval' },
        tokens: { value: 100, meaning: 'minimum number of draft tokens' },
      },
    },
    (instance, limits) => {
      const drafted = computeTotal(instance, 'specDraftTokens') ?? 0;
      const accepted = computeTotal(instance, 'specAcceptedTokens');
      if (accepted === undefined || drafted < limits.tokens || accepted > drafted) return undefined;
      if (computeUpperBound(accepted, drafted) > limits.rate) return undefined;
      return {
        text: `${formatNumber(accepted)} of ${formatNumber(drafted)} draft tokens accepted (${formatPercent(accepted / drafted)})`,
        numbers: { accepted, drafted, rate: accepted / drafted },
        magnitude: drafted - accepted,
      };
    },
  ),
  createServerRule(
    {
      id: 'failed-transfers',
      severity: 'warning',
      title: 'transfers of KV cache failed',
      advice:
        'Their requests are computed again or fail: check the network between the workers, and their logs.',
      thresholds: { total: { value: 0, meaning: 'maximum in the run' } },
    },
    (instance, limits) => {
      const failed = computeTotal(instance, 'transferFailures') ?? 0;
      if (failed <= limits.total) return undefined;
      const transfers = readObservations(instance.series('transfers'))?.count;
      const others = transfers === undefined ? '' : `, ${formatNumber(transfers)} were completed`;
      return {
        text: `${formatNumber(failed)} failed${others}`,
        numbers: { failed, ...(transfers !== undefined && { transfers }) },
        magnitude: failed,
      };
    },
  ),
];

function describeSleep(
  run: Run,
  { endpoint }: ServerInstance,
  series: RunSeries,
  maxShare: number,
): Evidence[] {
  const [awake, lowest] = [readStat(series, 'avg'), readStat(series, 'min')];
  // Values other than 0 and 1 have an unknown meaning.
  if (awake === undefined || awake < 0 || awake > 1 || (lowest ?? awake) >= 1) return [];
  const asleep = 1 - awake;
  if (asleep <= maxShare) return [];
  const seconds = run.times.profilingSeconds;
  const range = findRange(series.slices, ({ avg }) => avg !== undefined && avg < 1);
  const time = seconds === undefined ? '' : ` (${formatValue(asleep * seconds, 'seconds')})`;
  return [
    {
      endpoint,
      text: `asleep for ${formatPercent(asleep)} of profiling${time}`,
      numbers: { share: asleep, ...(seconds !== undefined && { seconds: asleep * seconds }) },
      magnitude: asleep,
      ...(range && { range }),
    },
  ];
}

/** 97.5% quantile of the standard normal distribution. */
const Z = 1.96;

/** Returns the upper bound of the 95% interval of a share (Wilson score). */
function computeUpperBound(hits: number, all: number): number {
  const share = hits / all;
  const margin = Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2));
  return (share + Z ** 2 / (2 * all) + margin) / (1 + Z ** 2 / all);
}
