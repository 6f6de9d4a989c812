import { dirname, relative } from 'node:path';
import { formatBytes, formatDuration } from '@org/core';
import type { PhaseGpuTelemetry } from '@org/formats';
import type { WriteResult } from '@org/formats/write';
import { renderSummary } from '@org/reader';
import type { CostRecord, RunRecord } from '@org/record';
import { getServers } from '@org/record/servers';
import type { RunExports } from '@org/run/export';
import { getTerminalWidth, shouldUseColor } from '@org/terminal';
import { wrapText } from '@org/terminal/layout';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { renderServedEnergy } from './energyLines.ts';

/** The output stream of a summary, and the log for warnings and errors. */
export interface SummaryOutput {
  readonly out: Io['stdout'];
  readonly io: Io;
  readonly log: Log;
}

/** The GPU telemetry of a run without a load generator. */
export interface RunGpus {
  /** Undefined if no source was found. */
  readonly document: PhaseGpuTelemetry | undefined;
  /** Outcomes of writing its files. */
  readonly files: readonly WriteResult[];
}

/** Prints the summary of a run and the paths of its exports, and logs data loss. */
export function printRun(
  record: RunRecord,
  exports: RunExports,
  { out, io, log }: SummaryOutput,
  gpus: RunGpus = { document: undefined, files: [] },
): void {
  const [width, color] = [getTerminalWidth(out), shouldUseColor(out, io.env)];
  const context = describeContext(exports, io);
  const servers = getServers(record);
  out.write(
    `\n${renderSummary(exports.document, { width, color, servers, ...(context && { context }) })}\n\n`,
  );
  const energy = gpus.document ? renderServedEnergy(gpus.document, { width, color }) : [];
  if (energy.length > 0) out.write(`${energy.join('\n')}\n\n`);
  const cost = formatCost(record);
  if (cost !== undefined) out.write(`${wrapText(cost, width, '  ').join('\n')}\n`);
  printExports(exports, { out, io, log });
  for (const file of gpus.files) {
    if (file.ok) printFile(file.path, file.bytes, { out, io });
    else log.error(file.message);
  }
  logLosses(record, exports, log);
}

/** Returns the folder and the exports with samples, which the advice of findings names. */
function describeContext(
  { results }: RunExports,
  { cwd }: Io,
): Parameters<typeof renderSummary>[1]['context'] {
  const getPath = (format: string): string | undefined =>
    results.find(result => result.format === format && result.failure === undefined)?.path;
  const [aggregated, parquet, records] = [
    getPath('json') ?? getPath('csv'),
    getPath('parquet'),
    getPath('jsonl'),
  ];
  const path = parquet ?? records ?? aggregated;
  if (path === undefined) return undefined;
  return {
    name: relative(cwd, dirname(path)) || '.',
    files: {
      ...(aggregated !== undefined && { aggregated }),
      ...(parquet !== undefined && { parquet }),
      ...(records !== undefined && { records }),
    },
  };
}

/** Prints the paths and sizes of exports, and logs the exports that could not be written. */
export function printExports({ results }: RunExports, { out, io, log }: SummaryOutput): void {
  for (const { format, path, bytes, failure } of results) {
    if (failure === undefined) printFile(path, bytes!, { out, io });
    else log.error(`${format} export failed: ${failure}`);
  }
}

/** Prints the path and size of a file. */
export function printFile(path: string, bytes: number, { out, io }: Pick<SummaryOutput, 'out' | 'io'>): void {
  out.write(`  ${relative(io.cwd, path)}  ${formatBytes(bytes)}\n`);
}

/** Logs data that is missing from the exports or was exported differently than requested. */
export function logLosses(record: RunRecord, exports: RunExports, log: Log): void {
  for (const loss of describeLosses(record, exports)) log.warning(loss);
  const { skippedSummaries } = exports;
  if (skippedSummaries.length > 0)
    log.info(`summary metrics are exported only with --json-layout legacy: ${skippedSummaries.join(', ')}`);
}

function describeLosses(
  record: RunRecord,
  { excludedLabels, shortenedNames, slicedByInterval }: RunExports,
): string[] {
  const losses: string[] = [];
  if (shortenedNames.length > 0)
    losses.push(
      `metric names that exceed the length of folder names were shortened in the Parquet dataset; its metadata contains the full names: ${shortenedNames.join(', ')}`,
    );
  if (excludedLabels.length > 0)
    losses.push(
      `labels that have the name of another column are missing from the Parquet export: ${excludedLabels.join(', ')}`,
    );
  if (slicedByInterval.length > 0)
    losses.push(
      `--slice-duration is shorter than the update interval of ${slicedByInterval.join(', ')}; each sample interval is a timeslice`,
    );
  const unsupported = new Set(record.endpoints.flatMap(({ health }) => health.unsupported));
  if (unsupported.size > 0)
    losses.push(`metrics of unsupported types are not exported: ${[...unsupported].join(', ')}`);
  return losses;
}

/**
 * Formats the cost of scraping as one line: the number of scrapes, the latencies of the slowest endpoint, and,
 * if known, the mean size and CPU time of a scrape. Returns undefined if no scrape succeeded, or if the run was
 * recorded by a version without cost measurement.
 */
export function formatCost({ endpoints, scraping }: RunRecord): string | undefined {
  const costs = endpoints.flatMap(({ health }) => (health.cost ? [health.cost] : []));
  const slowest = findSlowest(costs);
  if (!scraping || !slowest) return undefined;
  const bytes = costs.reduce((sum, cost) => sum + cost.bytes_decoded, 0);
  const frames = endpoints.reduce((sum, { store }) => sum + store.frameCount, 0);
  const { scrape_latency_p50_ms: p50 = 0, scrape_latency_p99_ms: p99 = 0 } = slowest;
  const cpuMs = scraping.cpu_ms_per_scrape;
  return [
    `scraping: ${scraping.scrapes} scrapes`,
    `p50 ${formatDuration(p50 / 1000)}, p99 ${formatDuration(p99 / 1000)}${costs.length > 1 ? ' on the slowest endpoint' : ''}`,
    ...(frames > 0 ? [`${formatBytes(bytes / frames)} per scrape`] : []),
    ...(cpuMs === undefined ? [] : [`${formatDuration(cpuMs / 1000)} CPU per scrape`]),
  ].join(', ');
}

function findSlowest(costs: readonly CostRecord[]): CostRecord | undefined {
  const measured = costs.filter(cost => cost.scrape_latency_p99_ms !== undefined);
  return measured.sort((a, b) => b.scrape_latency_p99_ms! - a.scrape_latency_p99_ms!)[0];
}
