import {
  type BestWithinLimits,
  findBestWithinLimits,
  findSaturation,
  isCertainlyBelow,
  judgePoint,
  type LatencyLimit,
} from '@org/analysis/browser';
import { formatCount, formatPercent } from '@org/core';
import { type Choice, formatLimits } from './choice.ts';
import type { Conclusion } from './conclusion.ts';
import { formatEstimate, formatPoint } from './format.ts';
import type { SweepGroups } from './groups.ts';
import type { LoadPointData, SelectableMetric, SweepData } from './sweepData.ts';

/** More points than this are counted, not named. */
const MAX_NAMED = 4;

/** Names the best load within the limits, or the data that is missing to find it. */
export function buildConclusion(data: SweepData, groups: SweepGroups, choice: Choice): Conclusion {
  const throughput = data.throughputs.find(({ metric }) => metric === choice.throughput);
  if (!throughput)
    return {
      tone: 'warning',
      label: 'No throughput:',
      sentence: 'no request succeeded at any load, or the metrics are missing.',
      facts: [],
    };
  const measured = data.points.filter(({ estimates }) => estimates[throughput.metric]);
  const facts = [
    ...describeEvidence(data),
    ...(choice.limits.length > 0 ? describeVerdicts(data, choice) : []),
    ...describeKnees(groups, choice),
    ...describeFailures(data),
  ];
  if (choice.limits.length === 0) return { ...describeMost(measured, throughput), facts };
  if (measured.length === 1) return { ...describeSingle(measured[0]!, data, choice, throughput), facts };
  const best = findBestWithinLimits(measured, throughput.metric, choice.limits);
  return { ...describeBest(best, data, choice, throughput), facts };
}

type Statement = Omit<Conclusion, 'facts'>;

function describeBest(
  { outcome, best, rivals }: BestWithinLimits<LoadPointData>,
  data: SweepData,
  choice: Choice,
  throughput: SelectableMetric,
): Statement {
  const limits = formatLimits(choice.limits, data);
  const label = `Best within ${limits}`;
  if (outcome === 'none') return { tone: 'warning', label: `${label}:`, sentence: 'no load point keeps it.' };
  const name = (point: LoadPointData): string =>
    `${formatPoint(point)} (${formatEstimate(point.estimates[throughput.metric], throughput.unit)} ${throughput.short})`;
  if (outcome === 'best') return { tone: 'good', label: `${label}:`, sentence: `${name(best!)}.` };
  const missing = describeMissing([...(best ? [best] : []), ...rivals]);
  const rivalNames = listNames(rivals.map(formatPoint));
  const likely = best ?? findBestByMeans(rivals, choice.limits, throughput.metric);
  const statement = best
    ? `${name(best)} keeps it; ${rivalNames} may be as good.`
    : likely
      ? `by the means, ${name(likely)}.`
      : `no mean keeps it, but ${rivalNames} may.`;
  return { tone: 'unknown', label: `${label}, not certain:`, sentence: `${statement} ${missing}` };
}

/** Finds the point with the highest mean throughput among those whose means keep the limits; undefined if none does. */
function findBestByMeans(
  points: readonly LoadPointData[],
  limits: readonly LatencyLimit[],
  throughput: string,
): LoadPointData | undefined {
  const rate = ({ estimates }: LoadPointData): number => estimates[throughput]?.mean ?? 0;
  return points
    .filter(({ estimates }) =>
      limits.every(({ metric, value }) => {
        const { mean = Number.POSITIVE_INFINITY } = estimates[metric] ?? {};
        return mean <= value;
      }),
    )
    .reduce<LoadPointData | undefined>(
      (best, point) => (best && rate(best) >= rate(point) ? best : point),
      undefined,
    );
}

/** Says what would make the points comparable. `relation` says why their intervals do not decide. */
function describeMissing(
  points: readonly LoadPointData[],
  relation = 'overlap or contain the limit',
): string {
  const isRepeated = points.every(({ estimates }) =>
    Object.values(estimates).some(({ half }) => half !== null),
  );
  if (!isRepeated) return 'Runs without repeats have no intervals; --num-profile-runs 3 or more adds them.';
  const runs = Math.min(...points.map(point => point.runs ?? Number.POSITIVE_INFINITY));
  return `The intervals${Number.isFinite(runs) ? ` of ${formatCount(runs, 'run')}` : ''} ${relation}; more repeats make them narrower.`;
}

function describeSingle(
  point: LoadPointData,
  data: SweepData,
  { limits }: Choice,
  throughput: SelectableMetric,
): Statement {
  const verdict = judgePoint(point, limits);
  const text = formatLimits(limits, data);
  const value = `${formatEstimate(point.estimates[throughput.metric], throughput.unit)} ${throughput.short}`;
  const subject = Object.keys(point.parameters).length === 0 ? 'all runs' : formatPoint(point);
  const label = `${subject[0]!.toUpperCase()}${subject.slice(1)}, ${value}:`;
  if (verdict === 'kept') return { tone: 'good', label, sentence: `the mean keeps ${text}.` };
  if (verdict === 'missed') return { tone: 'warning', label, sentence: `the mean misses ${text}.` };
  return {
    tone: 'unknown',
    label,
    sentence: `it is not certain whether the mean keeps ${text}. ${describeMissing([point])}`,
  };
}

/** Names the point with the most throughput, if it is certain. */
function describeMost(points: readonly LoadPointData[], throughput: SelectableMetric): Statement {
  const format = (point: LoadPointData): string =>
    `${formatEstimate(point.estimates[throughput.metric], throughput.unit)} ${throughput.short} at ${formatPoint(point)}`;
  const noLimit = 'To judge the load, set --goodput for the runs, or choose a limit below.';
  const [only] = points;
  if (only && points.length === 1)
    return {
      tone: 'unknown',
      label: `${formatCount(only.runs ?? only.repeats.length, 'run')}, no limit:`,
      sentence: `${formatEstimate(only.estimates[throughput.metric], throughput.unit)} ${throughput.short}. ${noLimit}`,
    };
  const most = points.reduce((a, b) =>
    b.estimates[throughput.metric]!.mean > a.estimates[throughput.metric]!.mean ? b : a,
  );
  const isCertain = points.every(
    point =>
      point === most ||
      isCertainlyBelow(point.estimates[throughput.metric]!, most.estimates[throughput.metric]!),
  );
  return {
    tone: 'unknown',
    label: 'Highest throughput (no limit set):',
    sentence: isCertain
      ? `${format(most)}. ${noLimit}`
      : `${format(most)}, but other load points may be as high. ${describeMissing(points, 'overlap')} ${noLimit}`,
  };
}

function describeEvidence({ points }: SweepData): string[] {
  const repeated = points.filter(({ runs }) => (runs ?? 0) > 1).length;
  const runs = points.reduce((sum, point) => sum + (point.runs ?? 0), 0);
  const named = points.length === 1 ? [] : [`${formatCount(points.length, 'load point')}`];
  if (runs === 0) return named;
  return [
    [...named, `${formatCount(runs, 'complete run')}`].join(', ') +
      (repeated === 0 ? ', no repeats' : repeated < points.length ? `, ${repeated} points with repeats` : ''),
  ];
}

function describeVerdicts({ points }: SweepData, { limits }: Choice): string[] {
  if (points.length < 2) return [];
  const counts = { kept: 0, missed: 0, undecided: 0 };
  for (const point of points) counts[judgePoint(point, limits)]++;
  return [`limit kept at ${counts.kept}, missed at ${counts.missed}, not certain at ${counts.undecided}`];
}

/** Names the load above which more load only adds latency, for each group whose intervals show it. */
function describeKnees({ groups, load }: SweepGroups, { throughput, latency }: Choice): string[] {
  const found = groups.flatMap(group => {
    const knee = findSaturation(group, throughput, latency);
    return knee ? [`${group.name === '' ? '' : `${group.name}: `}${load} ${knee.load}`] : [];
  });
  if (found.length === 0) return [];
  return [`saturated from ${listNames(found)}: every higher load adds less than 10% throughput, and latency`];
}

function describeFailures({ points }: SweepData): string[] {
  const failing = points.filter(({ failedShare }) => (failedShare ?? 0) > 0);
  if (failing.length === 0) return [];
  const worst = failing.reduce((a, b) => (b.failedShare! > a.failedShare! ? b : a));
  return [
    `requests failed at ${formatCount(failing.length, 'load point')}, up to ${formatPercent(worst.failedShare!)} at ${formatPoint(worst)}; latencies are those of successful requests`,
  ];
}

function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED);
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
