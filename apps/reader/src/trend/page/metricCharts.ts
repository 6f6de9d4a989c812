import type { MetricTrend, TrendGroup } from '@org/analysis';
import { formatValue } from '@org/core';
import type { ChartLevel, TrendChart } from '../../svg/trendChart.ts';
import { describeChange, describeDrift, formatChange, formatTitle } from '../trendText.ts';

/** Words after the marks of changes, so that their color is not needed. */
const WORDS = { worse: '▲ worse', better: '▼ better', changed: '◆ changed' } as const;

const TONES = { worse: 'bad', better: 'good', changed: 'neutral' } as const;

/** Builds the chart of a metric over the runs of a group. */
export function buildMetricChart(metric: MetricTrend, group: TrendGroup): TrendChart {
  const { values, spreads, drift, unit, type } = metric;
  return {
    label: describeChart(metric),
    color: type === 'client' ? 'client' : 'server',
    unit,
    values,
    ranges: spreads.map(spread => (spread?.of === 'repeats' ? [spread.low, spread.high] : null)),
    levels: listLevels(metric),
    changes: metric.changes.map(({ after, verdict, change }) => ({
      at: after,
      text: `${WORDS[verdict]} ${formatChange(change)}`,
      tone: TONES[verdict],
    })),
    settings: [...new Set(group.settingChanges.map(({ at }) => at))],
    ...(drift && { line: [drift.from, drift.to] as const }),
  };
}

/** Returns the levels between change points; none without change points. */
function listLevels({ changes, values }: MetricTrend): ChartLevel[] {
  const [first] = changes;
  if (!first) return [];
  const starts = [0, ...changes.map(({ after }) => after)];
  const ends = [...changes.map(({ before }) => before), values.length - 1];
  const levels = [first.from, ...changes.map(({ to }) => to)];
  return levels.map(({ mean, low, high }, i) => ({ from: starts[i]!, to: ends[i]!, mean, low, high }));
}

/** Describes a chart for screen readers. */
function describeChart(metric: MetricTrend): string {
  const { values, unit, changes, drift } = metric;
  const known = values.filter(value => value !== null);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const texts = changes.map(
    change => `at run ${change.after + 1} ${change.verdict}, ${describeChange(metric, change)}`,
  );
  const found = drift ? [describeDrift(metric)] : texts;
  return `${formatTitle(metric)}, over ${values.length} runs: from ${formatValue(lowest, unit)} to ${formatValue(highest, unit)}; ${found.join('; ') || 'no change found'}`;
}
