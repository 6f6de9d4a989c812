import { redactArguments, redactCommand } from '@org/core';
import type { CollectOptions } from './collectPlan.ts';

/** What made the files: seed 001, "input_config". Without secrets. */
export function inputConfig(
  options: CollectOptions,
  argv: readonly string[],
  benchmarkId: string,
): Record<string, unknown> {
  const { sliceSeconds, settleSeconds, warmupSeconds, durationSeconds, prefix, settings } = options;
  const { jsonLayout, csvLayout } = options.layouts;
  return {
    benchmark_id: benchmarkId,
    cli_command: commandLine(argv),
    ...(options.config === undefined ? {} : { config: options.config }),
    server_metrics: options.targets.map(({ url }) => url),
    server_metrics_formats: options.formats,
    ...(jsonLayout === undefined ? {} : { json_layout: jsonLayout }),
    ...(csvLayout === undefined ? {} : { csv_layout: csvLayout }),
    ...(options.command.length > 0 ? { command: redactCommand(options.command) } : {}),
    warmup_duration: warmupSeconds,
    ...(settleSeconds === undefined ? {} : { settle: settleSeconds }),
    ...(durationSeconds === undefined ? {} : { duration: durationSeconds }),
    ...(sliceSeconds === undefined ? {} : { slice_duration: sliceSeconds }),
    ...(prefix === undefined ? {} : { profile_export_prefix: prefix }),
    percentile_method: options.percentileMethod,
    collection_interval: settings.intervalMs / 1000,
  };
}

/** The command line of a run, without secrets. */
export function commandLine(argv: readonly string[]): string {
  return ['servelens', ...redactArguments(argv)].map(quoted).join(' ');
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
