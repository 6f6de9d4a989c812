import type {
  Level,
  MetricChange,
  MetricDrift,
  MetricTrend,
  RunTrend,
  TrendGroup,
  TrendRun,
} from '@org/analysis';
import type { TrendDocument } from '@org/formats';
import { METHOD_NAME } from './trendText.ts';

type GroupDocument = TrendDocument['groups'][number];
type MetricDocument = GroupDocument['metrics'][number];

/** Builds the output of `trend --json`. */
export function buildTrendDocument({
  groups,
  problems,
  notes,
  settings,
  minTotalRuns,
}: RunTrend): TrendDocument {
  return {
    schema_version: '1',
    method: {
      name: METHOD_NAME,
      permutations: settings.permutations,
      correction: 'bh',
      alpha: settings.alpha,
      min_change: settings.minChange,
      min_runs: settings.minRuns,
      min_total_runs: minTotalRuns,
    },
    groups: groups.map(buildGroup),
    problems: problems.map(({ path, reason }) => ({ path, reason })),
    notes,
  };
}

function buildGroup(group: TrendGroup): GroupDocument {
  return {
    workload: Object.fromEntries(group.workload),
    runs: group.runs.map(buildRun),
    setting_changes: group.settingChanges.map(({ at, setting, from, to }) => ({
      run: at,
      setting,
      from,
      to,
    })),
    varying_settings: group.varyingSettings.map(({ setting, values }) => ({ setting, values })),
    tested_metrics: group.tested,
    level: group.level,
    metrics: group.metrics.map(buildMetric),
  };
}

function buildRun({
  path,
  startNs,
  isLocalTime,
  repeats,
  hasClient,
}: TrendRun): GroupDocument['runs'][number] {
  return {
    path,
    start_ns: startNs.toString(),
    start_time: new Date(Number(startNs / 1_000_000n)).toISOString(),
    is_local_time: isLocalTime,
    repeats,
    has_client_data: hasClient,
  };
}

function buildMetric(metric: MetricTrend): MetricDocument {
  return {
    server: metric.server,
    metric: metric.metric,
    stat: metric.stat,
    type: metric.type,
    unit: metric.unit,
    better: metric.better,
    state: metric.state,
    known_runs: metric.known,
    values: [...metric.values],
    spreads: metric.spreads,
    changes: metric.changes.map(buildChange),
    drift: metric.drift && buildDrift(metric.drift),
  };
}

function buildChange(change: MetricChange): MetricDocument['changes'][number] {
  return {
    before_run: change.before,
    after_run: change.after,
    verdict: change.verdict,
    change: change.change,
    p: change.p,
    before: buildLevel(change.from),
    after: buildLevel(change.to),
  };
}

function buildDrift({ from, to, verdict, change, p }: MetricDrift): NonNullable<MetricDocument['drift']> {
  return { from, to, verdict, change, p };
}

function buildLevel({ mean, low, high, runs }: Level): Level {
  return { mean, low, high, runs };
}
