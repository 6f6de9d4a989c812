import type { ShareBars } from '../../svg/shareBars.ts';
import type { XyChart } from '../../svg/xyChartModel.ts';
import { type Choice, createChoice, formatLimits } from './choice.ts';
import type { Conclusion } from './conclusion.ts';
import { formatPoint } from './format.ts';
import { groupSweep, type SweepGroups } from './groups.ts';
import { buildLoadCharts } from './loadCharts.ts';
import { buildInteractivityChart, buildRepeatChart, buildRepeatCharts } from './otherCharts.ts';
import { buildConclusion } from './sentence.ts';
import { buildServerCharts, type ServerCharts } from './serverCharts.ts';
import type { LoadPointData, Outcomes, SweepData } from './sweepData.ts';
import { buildTradeoffChart } from './tradeoffChart.ts';

/** Everything that the page shows for a choice of metrics and limits. */
export interface SweepView {
  readonly groups: SweepGroups;
  readonly conclusion: Conclusion;
  /** Absent if no point has both a throughput and a latency, or there is one point only. */
  readonly tradeoff?: XyChart;
  /** The limits of a search, with the limited metric in each run. */
  readonly limits: readonly XyChart[];
  readonly load: readonly XyChart[];
  readonly server: ServerCharts;
  readonly interactivity?: XyChart;
  readonly outcomes?: ShareBars;
  readonly repeats: readonly XyChart[];
}

/** More bars than this are not drawn; the table has them. */
const MAX_BARS = 60;

/** Builds everything that the page shows for a choice. The page and its script use the same function. */
export function buildSweepView(data: SweepData, choice: Choice): SweepView {
  const groups = groupSweep(data);
  const isSingle = data.points.length === 1;
  const conclusion = chooseConclusion(data, groups, choice);
  const limits = data.search?.charts ?? [];
  const outcomes = buildOutcomeBars(data);
  if (isSingle)
    return {
      groups,
      conclusion,
      limits,
      load: [],
      server: { charts: [], zero: [], missing: [] },
      repeats: [...data.throughputs, ...data.latencies].flatMap(metric =>
        isShownSingle(metric.metric) ? buildRepeatChart(metric, groups) : [],
      ),
      ...(outcomes && { outcomes }),
    };
  const hasBoth = data.points.some(
    ({ estimates }) => estimates[choice.throughput] && estimates[choice.latency],
  );
  const interactivity = buildInteractivityChart(data, groups);
  return {
    groups,
    conclusion,
    limits,
    ...(hasBoth && { tradeoff: buildTradeoffChart(data, groups, choice) }),
    load: buildLoadCharts(data, groups, choice),
    server: buildServerCharts(data, groups),
    ...(interactivity && { interactivity }),
    ...(outcomes && { outcomes }),
    repeats: buildRepeatCharts(data, groups, choice),
  };
}

/** Returns the result of a search until other limits are chosen. */
function chooseConclusion(data: SweepData, groups: SweepGroups, choice: Choice): Conclusion {
  const isUnchanged = formatLimits(choice.limits, data) === formatLimits(createChoice(data).limits, data);
  return data.search && isUnchanged ? data.search.conclusion : buildConclusion(data, groups, choice);
}

/** Reports whether a metric has a chart in the page of repeated runs. */
function isShownSingle(metric: string): boolean {
  return /^(?:request_throughput_avg|output_token_throughput_avg|goodput_avg)$|_p50$|_p99$/.test(metric);
}

/** Lists all charts of points, in the order of the page. */
export function listCharts({ limits, tradeoff, load, server, interactivity, repeats }: SweepView): XyChart[] {
  return [
    ...limits,
    ...(tradeoff ? [tradeoff] : []),
    ...load,
    ...server.charts,
    ...(interactivity ? [interactivity] : []),
    ...repeats,
  ];
}

/** Lists the identifiers of the charts across the page. */
export function listWideCharts({ limits, tradeoff, interactivity }: SweepView): ReadonlySet<string> {
  const wide = [limits.length === 1 ? limits[0] : undefined, tradeoff, interactivity];
  return new Set(wide.flatMap(chart => chart?.id ?? []));
}

/** The outcomes of requests, in the order of the parts of a bar. */
export const OUTCOMES = [
  { name: 'ok', color: 'second' },
  { name: 'late', color: 'waiting' },
  { name: 'error', color: 'failed' },
  { name: 'cancelled', color: 'grey' },
] as const;

function buildOutcomeBars({ points, base }: SweepData): ShareBars | undefined {
  const all: (readonly [string, LoadPointData])[] = [
    ...points.map(point => [formatPoint(point), point] as const),
    ...(base?.points ?? []).map(point => [`baseline, ${formatPoint(point)}`, point] as const),
  ];
  const known = all.flatMap(([name, { outcomes }]) => (outcomes ? [toBar(name, outcomes)] : []));
  return known.length === 0 || known.length > MAX_BARS
    ? undefined
    : { title: 'Outcomes of requests', bars: known };
}

function toBar(name: string, { succeeded, late, failed, cancelled }: Outcomes): ShareBars['bars'][number] {
  const counts = [succeeded - (late ?? 0), late ?? 0, failed, cancelled];
  const total = counts.reduce((sum, count) => sum + count, 0);
  const parts = OUTCOMES.map((outcome, i) => ({ ...outcome, share: total === 0 ? 0 : counts[i]! / total }));
  const texts = parts
    .filter(({ share }) => share > 0)
    .map(({ name: outcome, share }) => `${formatShare(share)} ${outcome}`);
  return { name, parts, text: texts.join(', ') || 'no requests' };
}

/** Formats a share so that it is not rounded to all or nothing. */
function formatShare(share: number): string {
  const percent = 100 * share;
  const text = percent.toFixed(percent > 99.9 && percent < 100 ? 2 : percent < 0.1 ? 2 : 1);
  return `${Number(text)}%`;
}
