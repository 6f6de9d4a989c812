import type { DuckDBConnection } from '@duckdb/node-api';
import type { OpenOptions, Run } from '@org/analysis';
import { RunError } from '@org/analysis/files';
import { appendDerived } from './derived.ts';
import { isRemote, type RowSource } from './rowSource.ts';
import { appendStatistics } from './statistics.ts';

/** The views whose rows come from the exports of runs, and not from their samples. */
const VIEWS = ['statistics', 'derived'] as const;
type View = (typeof VIEWS)[number];

/** The rows of the views `statistics` and `derived`, which are read when a statement needs them. */
export class RunTables {
  readonly #connection: DuckDBConnection;
  readonly #sources: readonly RowSource[];
  readonly #open: OpenOptions;
  readonly #loaded = new Set<View>();

  constructor(connection: DuckDBConnection, sources: readonly RowSource[], open: OpenOptions = {}) {
    this.#connection = connection;
    this.#sources = sources;
    this.#open = open;
  }

  /** Reads the exports of all runs if the statements use one of the views. Returns the reasons why rows are missing. */
  async load(sql: string): Promise<readonly string[]> {
    const needed = VIEWS.filter(
      view => !this.#loaded.has(view) && new RegExp(`\\b${view}\\b`, 'i').test(sql),
    );
    if (needed.length === 0) return [];
    for (const view of needed) this.#loaded.add(view);
    const { computeDerived, openRun } = await import('@org/analysis');
    const problems: string[] = [];
    const append = {
      statistics: appendStatistics,
      derived: (...[appender, name, run]: Parameters<typeof appendStatistics>) =>
        appendDerived(appender, name, run, computeDerived),
    };
    const appenders = await Promise.all(
      needed.map(async view => [view, await this.#connection.createAppender(`run_${view}`)] as const),
    );
    for (const { run } of this.#sources) {
      const opened = isRemote(run)
        ? 'statistics of a URL cannot be read'
        : await openRun(run, this.#open).catch(describe);
      const problem = findProblem(run, opened);
      if (problem !== undefined) problems.push(problem);
      if (typeof opened !== 'string')
        for (const [view, appender] of appenders) append[view](appender, run, opened);
    }
    for (const [, appender] of appenders) appender.closeSync();
    return problems;
  }
}

function findProblem(name: string, run: Run | string): string | undefined {
  if (typeof run === 'string') return `no statistics of ${name}: ${run}`;
  if (run.profile?.was_cancelled) return `${name} was interrupted; its statistics cover a part of the run`;
  return run.seriesCount === 0 ? `no statistics of ${name}: the run is incomplete` : undefined;
}

/** Returns the message of an error about the files of a run. Throws any other error. */
function describe(error: unknown): string {
  const isFormatError = error instanceof Error && error.name === 'FormatError';
  if (error instanceof RunError || isFormatError) return (error as Error).message.split('\n')[0]!;
  throw error;
}
