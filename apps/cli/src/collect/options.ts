import { resolve } from 'node:path';
import type { PercentileMethod } from '@org/core';
import { metricsTarget, serverTarget, type Target, TargetError, uniqueTargets } from '@org/scrape';
import { cleanPrefix, type ExportFormat } from '../export/files.ts';
import type { Io } from '../io.ts';
import { readSettings, type Settings } from '../settings.ts';
import { UsageError } from '../usage.ts';

/** What `servelens collect` was asked to do, checked. */
export interface CollectOptions {
  readonly targets: readonly Target[];
  /** False with --no-server-metrics: the command runs and nothing is scraped. */
  readonly enabled: boolean;
  /** The command to run, if any. */
  readonly command: readonly string[];
  /** How long to collect without a command, seconds, warm-up not counted; until Ctrl-C without either. */
  readonly durationSeconds?: number;
  readonly warmupSeconds: number;
  readonly sliceSeconds?: number;
  readonly formats: readonly ExportFormat[];
  readonly prefix?: string;
  readonly folder: string;
  readonly percentileMethod: PercentileMethod;
  readonly keepJournal: boolean;
  readonly required: boolean;
  readonly quiet: boolean;
  readonly live: boolean;
  readonly settings: Settings;
}

/** The options as yargs leaves them. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Checks what was asked for. Throws `UsageError`, naming the option, its value and what would be accepted. */
export function readOptions(raw: RawOptions, io: Io, runName: string): CollectOptions {
  const enabled = raw['no-server-metrics'] !== true;
  const named = list(raw['server-metrics']);
  if (!enabled && named.length > 0)
    throw new UsageError('cannot use both --server-metrics and --no-server-metrics');
  const command = list(raw['--']);
  const stray = list(raw._).slice(1);
  if (stray.length > 0)
    throw new UsageError(`cannot use ${JSON.stringify(stray[0])}; a command stands behind --`);
  const targets = enabled ? targetsOf(list(raw.url), named) : [];
  if (enabled && targets.length === 0) {
    throw new UsageError('nothing to scrape; name endpoints with --server-metrics or a server with --url');
  }
  if (!enabled && command.length === 0) throw new UsageError('--no-server-metrics needs a command behind --');
  const duration = seconds(raw, 'duration', 0.001);
  if (duration !== undefined && command.length > 0) {
    throw new UsageError('cannot use --duration with a command; the command says how long the run is');
  }
  const slice = seconds(raw, 'slice-duration', 0.001);
  const prefix = raw['profile-export-prefix'];
  const folder = raw['artifact-dir'];
  const quiet = raw.quiet === true;
  return {
    targets,
    enabled,
    command,
    ...(duration === undefined ? {} : { durationSeconds: duration }),
    warmupSeconds: seconds(raw, 'warmup-duration', 0) ?? 0,
    ...(slice === undefined ? {} : { sliceSeconds: slice }),
    formats: [...new Set(list(raw['server-metrics-formats']))] as ExportFormat[],
    ...(prefix === undefined ? {} : { prefix: cleanPrefix(String(prefix)) }),
    folder: resolve(io.cwd, folder === undefined ? `artifacts/${runName}` : String(folder)),
    percentileMethod: raw['percentile-method'] as PercentileMethod,
    keepJournal: raw['keep-journal'] === true,
    required: raw['require-server-metrics'] === true,
    quiet,
    live: (raw.live ?? (command.length === 0 && io.stderr.isTTY === true)) === true && !quiet,
    settings: readSettings(io.env),
  };
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

function targetsOf(bases: readonly string[], named: readonly string[]): Target[] {
  try {
    return uniqueTargets([...bases.map(serverTarget), ...named.map(metricsTarget)]);
  } catch (error) {
    if (error instanceof TargetError) throw new UsageError(error.message);
    throw error;
  }
}

function seconds(raw: RawOptions, name: string, least: number): number | undefined {
  const value = raw[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number) || number < least || Array.isArray(value)) {
    throw new UsageError(
      `--${name} is ${JSON.stringify(value)}; expected a number of seconds, at least ${least}`,
    );
  }
  return number;
}
