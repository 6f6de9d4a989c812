import { formatNumber, formatValue } from '@org/core';
import { sum } from '../math.ts';
import { selectCompleteSlices } from '../run/series.ts';
import { groupSlicesByTime } from '../run/slices.ts';
import { readSliceObservations, type SliceObservations } from '../servers/observations.ts';
import { type Engine, findServingSystem } from '../servers/servingSystem.ts';
import { createRunRule, type Evidence, type FindingRule, type Thresholds, type TimeRange } from './rule.ts';

type Limits = Thresholds<'slices' | 'prefill' | 'factor' | 'certainty'>;

/** A timeslice of an engine, with its prefill, its batch and the time between its tokens. */
interface Slice extends SliceObservations {
  /** Tokens of prompts per second. */
  readonly prefill: number;
  /** Mean number of running requests. */
  readonly running: number;
}

/** Prompts delay the tokens of other requests. */
export const PREFILL_INTERFERENCE: FindingRule = createRunRule(
  {
    id: 'prefill-interference',
    severity: 'warning',
    title: 'prefill delays the tokens of other requests',
    advice:
      'Steps with long prompts take longer, and all running requests wait for them: process prompts in smaller parts (vLLM: --max-num-batched-tokens, SGLang: --chunked-prefill-size), or separate prefill from decode.',
    thresholds: {
      slices: { value: 9, meaning: 'minimum number of timeslices with tokens' },
      prefill: {
        value: 4,
        meaning: 'minimum ratio of prefill in the third of slices with most to that with least',
      },
      factor: {
        value: 2,
        meaning: 'minimum ratio of the time between tokens; 1.5 times more if the batch grew by as much',
      },
      certainty: {
        value: 0.9,
        meaning: 'minimum share of pairs of slices in which prefill goes with slower tokens',
      },
    },
  },
  (run, limits) => (findServingSystem(run)?.engines ?? []).flatMap(engine => compareSlices(engine, limits)),
);

/** A larger batch makes each token at most slower by as much as it grows. Slower tokens beyond it have another cause. */
const MIN_RATIO_TO_BATCH = 1.5;

function compareSlices(engine: Engine, limits: Limits): Evidence[] {
  const slices = readSlices(engine).sort((a, b) => a.prefill - b.prefill);
  if (slices.length < limits.slices) return [];
  const third = Math.floor(slices.length / 3);
  const [light, heavy] = [slices.slice(0, third), slices.slice(-third)];
  const [low, high] = [summarize(light), summarize(heavy)];
  const growth = Math.max(1, high.running / low.running);
  const isExplained = high.itl < Math.max(limits.factor, MIN_RATIO_TO_BATCH * growth) * low.itl;
  if (!(high.prefill >= limits.prefill * low.prefill) || isExplained || Number.isNaN(growth)) return [];
  if (computeSuperiority(heavy, light) < limits.certainty) return [];
  const unit = engine.series('interTokenLatency')[0]!.unit;
  return [
    {
      endpoint: engine.name,
      text: `${formatValue(high.itl, unit)} per token at ${formatNumber(high.prefill)} tokens/s of prompts, ${formatValue(low.itl, unit)} at ${formatNumber(low.prefill)}; ${formatNumber(high.running)} and ${formatNumber(low.running)} running`,
      numbers: { itl: high.itl, itl_low: low.itl, prefill: high.prefill, prefill_low: low.prefill },
      magnitude: high.itl / low.itl,
      range: findLongestRun(heavy),
    },
  ];
}

/** Reads the slices with tokens. Slices without a known batch or prefill are left out. */
function readSlices(engine: Engine): Slice[] {
  const role = engine.series('computedPromptTokens').length > 0 ? 'computedPromptTokens' : 'promptTokens';
  const prompts = groupSlicesByTime(engine.series(role).map(selectCompleteSlices));
  const prefills = new Map(prompts.map(list => [list[0]!.start_ns, sum(list.map(({ rate = 0 }) => rate))]));
  const levels = new Map((engine.running?.slices ?? []).map(({ startNs, value }) => [startNs, value]));
  return readSliceObservations(engine.series('interTokenLatency')).flatMap(slice => {
    const [prefill, running] = [prefills.get(slice.startNs), levels.get(slice.startNs)];
    return prefill === undefined || !running ? [] : [{ ...slice, prefill, running }];
  });
}

/** Returns the medians of slices. */
function summarize(slices: readonly Slice[]): { itl: number; prefill: number; running: number } {
  const findMedian = (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return {
    itl: findMedian(slices.map(slice => slice.mean)),
    prefill: findMedian(slices.map(({ prefill }) => prefill)),
    running: findMedian(slices.map(({ running }) => running)),
  };
}

/** Returns the share of pairs of slices in which tokens are slower in the first one. */
function computeSuperiority(a: readonly Slice[], b: readonly Slice[]): number {
  const slower = a.flatMap(x => b.filter(y => x.mean > y.mean)).length;
  return slower / (a.length * b.length);
}

/** Returns the longest time of consecutive slices. */
function findLongestRun(slices: readonly Slice[]): TimeRange {
  const sorted = [...slices].sort((a, b) => (a.startNs < b.startNs ? -1 : 1));
  let best: TimeRange = sorted[0]!;
  let current: TimeRange = best;
  for (const { startNs, endNs } of sorted.slice(1)) {
    current = startNs === current.endNs ? { startNs: current.startNs, endNs } : { startNs, endNs };
    if (current.endNs - current.startNs > best.endNs - best.startNs) best = current;
  }
  return { startNs: best.startNs, endNs: best.endNs };
}
