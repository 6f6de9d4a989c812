import { randomUUID } from 'node:crypto';
import type { Imported } from '@org/importer';
import { RunInputError, type RunRecord, recordDefinitions, type TimeRange } from '@org/record';
import { type DefinitionFile, extendBuiltInServers } from '@org/servers';
import { UsageError } from '@org/terminal';
import type { ImportOptions } from './importOptions.ts';

/** The parts of a record that are not imported. */
export interface RecordContext {
  readonly options: ImportOptions;
  readonly servers: readonly DefinitionFile[];
  readonly version: string;
  /** The command line without secrets. */
  readonly cliCommand: string;
}

/** Creates the record of an imported run. Throws `UsageError` if its profiling phase contains no samples. */
export function createImportRecord(imported: Imported, context: RecordContext): RunRecord {
  const { endpoints, range, sampled, info } = imported;
  const benchmarkId = randomUUID();
  return withServers(
    {
      benchmarkId,
      version: context.version,
      startNs: range.startNs,
      endNs: range.endNs,
      period: readPeriod(context.options, sampled),
      cancelled: false,
      endpoints,
      import: info,
      inputConfig: createConfig(benchmarkId, endpoints, context),
    },
    context,
  );
}

/** Completes the record of a JSONL export, which may have an ID, a configuration and a profiling phase. */
export function completeJsonlRecord(record: RunRecord, context: RecordContext): RunRecord {
  const benchmarkId = record.benchmarkId === '' ? randomUUID() : record.benchmarkId;
  const period = readPeriod(context.options, record.period);
  const hasConfig = Object.keys(record.inputConfig).length > 0;
  const isOtherPeriod = period.startNs !== record.period.startNs || period.endNs !== record.period.endNs;
  const config = hasConfig ? record.inputConfig : createConfig(benchmarkId, record.endpoints, context);
  const completed = {
    ...record,
    benchmarkId,
    period,
    inputConfig: config,
    ...(isOtherPeriod ? { runPeriod: record.period } : {}),
  };
  return withServers(completed, context);
}

function withServers(record: RunRecord, { servers }: RecordContext): RunRecord {
  const servelensConfig = recordDefinitions(record.servelensConfig, servers);
  return {
    ...record,
    ...(servelensConfig ? { servelensConfig } : {}),
    servers: extendBuiltInServers(servers),
  };
}

function createConfig(
  benchmarkId: string,
  endpoints: RunRecord['endpoints'],
  { options, cliCommand }: RecordContext,
): Record<string, unknown> {
  const { formats, jsonLayout, percentileMethod, sliceSeconds } = options.exports;
  return {
    benchmark_id: benchmarkId,
    cli_command: cliCommand,
    server_metrics: endpoints.map(({ url }) => url),
    server_metrics_formats: formats,
    ...(jsonLayout === undefined ? {} : { json_layout: jsonLayout }),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    percentile_method: percentileMethod,
  };
}

/** Returns the profiling phase that the options set, or the range of the samples. */
function readPeriod({ profilingStartMs, profilingEndMs }: ImportOptions, sampled: TimeRange): TimeRange {
  const startNs = profilingStartMs === undefined ? sampled.startNs : toNs(profilingStartMs);
  const endNs = profilingEndMs === undefined ? sampled.endNs : toNs(profilingEndMs);
  if (startNs > endNs)
    throw new UsageError('--profiling-start is after --profiling-end, or after the last sample');
  if (startNs > sampled.endNs || endNs < sampled.startNs)
    throw new RunInputError(
      `the profiling phase contains no samples: they are from ${formatNs(sampled.startNs)} to ${formatNs(sampled.endNs)}; check --profiling-start and --profiling-end`,
    );
  return { startNs, endNs };
}

function toNs(ms: number): bigint {
  return BigInt(ms) * 1_000_000n;
}

function formatNs(ns: bigint): string {
  return new Date(Number(ns / 1_000_000n)).toISOString();
}
