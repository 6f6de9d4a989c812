import type { DuckDBConnection } from '@duckdb/node-api';
import type { OpenOptions, Run, RunSeries } from '@org/analysis';
import { RunError } from '@org/analysis/files';
import { isRemote, type RowSource } from './rowSource.ts';
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

/** Returns the statements that create the view `statistics`, which is empty until `StatisticsTable.load`. */
export function createStatisticsView(runNames: readonly string[]): readonly string[] {
  const numbers = STATISTIC_COLUMNS.map(name => `${quoteName(name)} DOUBLE`).join(', ');
  const texts = ['run', 'endpoint_url', 'endpoint', 'metric_name', 'metric_type', 'unit', 'labels'].map(
    name => `${name} VARCHAR`,
  );
  return [
    `CREATE TABLE run_statistics (${texts.join(', ')}, ${numbers})`,
    `CREATE VIEW statistics AS SELECT ${runNames.map(name => `runs.${name}`).join(', ')},
       series.* EXCLUDE (run) REPLACE (labels::JSON AS labels)
     FROM run_statistics series JOIN run_files runs ON runs.run = series.run`,
  ];
}

/** The statistics of all runs, which are read when a statement needs them. */
export class StatisticsTable {
  readonly #connection: DuckDBConnection;
  readonly #sources: readonly RowSource[];
  readonly #open: OpenOptions;
  #isLoaded = false;

  constructor(connection: DuckDBConnection, sources: readonly RowSource[], open: OpenOptions = {}) {
    this.#open = open;
    this.#connection = connection;
    this.#sources = sources;
  }

  /**
   * Reads the exports of all runs if the statements use the view `statistics`. Returns the reasons why runs have no
   * statistics.
   */
  async load(sql: string): Promise<readonly string[]> {
    if (this.#isLoaded || !/\bstatistics\b/i.test(sql)) return [];
    this.#isLoaded = true;
    const { openRun } = await import('@org/analysis');
    const problems: string[] = [];
    const appender = await this.#connection.createAppender('run_statistics');
    for (const { run } of this.#sources) {
      const opened = isRemote(run)
        ? 'statistics of a URL cannot be read'
        : await openRun(run, this.#open).catch(describe);
      if (typeof opened === 'string') problems.push(`no statistics of ${run}: ${opened}`);
      else if (opened.profile?.was_cancelled)
        problems.push(`${run} was interrupted; its statistics cover a part of the run`);
      else if (opened.seriesCount === 0) problems.push(`no statistics of ${run}: the run is incomplete`);
      if (typeof opened !== 'string') appendRun(appender, run, opened);
    }
    appender.closeSync();
    return problems;
  }
}

/** Returns the message of an error about the files of a run. Throws any other error. */
function describe(error: unknown): string {
  const isFormatError = error instanceof Error && error.name === 'FormatError';
  if (error instanceof RunError || isFormatError) return (error as Error).message.split('\n')[0]!;
  throw error;
}

type Appender = Awaited<ReturnType<DuckDBConnection['createAppender']>>;

function appendRun(appender: Appender, name: string, { families }: Run): void {
  for (const { series } of families.values()) for (const each of series) appendSeries(appender, name, each);
}

function appendSeries(appender: Appender, run: string, series: RunSeries): void {
  const { endpoint, endpointUrl, name, type, unit, labels, stats } = series;
  const isClient = type === 'client';
  const texts = [
    run,
    isClient ? null : endpointUrl,
    isClient ? null : endpoint,
    name,
    type,
    unit,
    JSON.stringify(labels),
  ];
  for (const text of texts) text === null ? appender.appendNull() : appender.appendVarchar(text);
  for (const names of Object.values(STATISTICS)) {
    const value = names.map(key => stats[key]).find(number => typeof number === 'number');
    typeof value === 'number' ? appender.appendDouble(value) : appender.appendNull();
  }
  appender.endRow();
}
