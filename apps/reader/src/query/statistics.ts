import type { DuckDBConnection } from '@duckdb/node-api';
import type { Run, RunSeries } from '@org/analysis';
import { quoteName } from './views.ts';

/** The columns with statistics of the view `statistics`, and the statistics of a series that they contain. */
const STATISTICS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['avg', 'std', 'min', 'max'].map(name => [name, [name]])),
  ...Object.fromEntries(
    ['p1', 'p5', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99'].map(name => [
      name,
      [name, `${name}_estimate`],
    ]),
  ),
  count: ['count'],
  sum: ['sum'],
  total: ['increase', 'total'],
  per_second: ['increase_rate', 'rate', 'count_rate'],
};

/** The names of the columns with statistics. */
export const STATISTIC_COLUMNS: readonly string[] = Object.keys(STATISTICS);

/** Returns the statements that create the view `statistics`, which is empty until its rows are appended. */
export function createStatisticsView(runNames: readonly string[]): readonly string[] {
  const numbers = STATISTIC_COLUMNS.map(name => `${quoteName(name)} DOUBLE`).join(', ');
  const names = ['run', 'endpoint_url', 'endpoint', 'metric_name', 'metric_type', 'unit'];
  const texts = [...names, 'labels', 'target_labels'].map(name => `${name} VARCHAR`);
  return [
    `CREATE TABLE run_statistics (${texts.join(', ')}, ${numbers})`,
    `CREATE VIEW statistics AS SELECT ${runNames.map(name => `runs.${name}`).join(', ')},
       series.* EXCLUDE (run) REPLACE (labels::JSON AS labels, target_labels::JSON AS target_labels)
     FROM run_statistics series JOIN run_files runs ON runs.run = series.run`,
  ];
}

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>;

/** Appends the statistics of a run: a row per series. */
export function appendStatistics(appender: Appender, name: string, { families }: Run): void {
  for (const { series } of families.values()) for (const each of series) appendSeries(appender, name, each);
}

function appendSeries(appender: Appender, run: string, series: RunSeries): void {
  const { endpoint, endpointUrl, name, type, unit, labels, targetLabels = {}, stats } = series;
  const isClient = type === 'client';
  const texts = [
    run,
    isClient ? null : endpointUrl,
    isClient ? null : endpoint,
    name,
    type,
    unit,
    JSON.stringify(labels),
    isClient ? null : JSON.stringify(targetLabels),
  ];
  for (const text of texts) text === null ? appender.appendNull() : appender.appendVarchar(text);
  for (const names of Object.values(STATISTICS)) {
    const value = names.map(key => stats[key]).find(number => typeof number === 'number');
    typeof value === 'number' ? appender.appendDouble(value) : appender.appendNull();
  }
  appender.endRow();
}
