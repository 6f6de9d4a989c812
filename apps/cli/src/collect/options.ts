import { resolve } from 'node:path';
import type { PercentileMethod } from '@org/core';
import { DEFAULT_FORMATS, type ExportFormat } from '@org/record';
import type { CollectPlan, ExportPlan, RunSettings } from '@org/run';
import type { Target } from '@org/scrape';
import { UsageError } from '@org/terminal';
import type { ConfigFile } from '../config/configfile.ts';
import { readConfigOption } from '../config/configoption.ts';
import { cleanPrefix } from '../export/exportoptions.ts';
import { layoutsOf } from '../export/layouts.ts';
import type { Io } from '../io.ts';
import { memoryLimit } from '../memory.ts';
import { type RawOptions, secondsValue, singleValue, textValue } from '../optionvalue.ts';
import { readSettings } from '../settings.ts';
import { readAccess } from './accessoptions.ts';
import { targetsOf } from './targets.ts';

/** Validated options of `servelens collect`. */
export interface CollectOptions {
  readonly plan: CollectPlan;
  /** False if nothing is to be scraped, and only the command runs. */
  readonly enabled: boolean;
  /** The command to run; empty if there is none. */
  readonly command: readonly string[];
  /** Whether the name of the artifact folder is a default, so that the folder must not exist yet. */
  readonly hasDefaultFolder: boolean;
  /** Whether to fail if an endpoint returned no data or an export is missing. */
  readonly required: boolean;
  readonly quiet: boolean;
  /** Whether to show a live line. */
  readonly live: boolean;
}

/** Reads the options of `servelens collect`. Throws `UsageError` for invalid values. */
export async function readOptions(raw: RawOptions, io: Io, runName: string): Promise<CollectOptions> {
  const enabled = raw['no-server-metrics'] !== true;
  const command = commandOf(raw);
  const configPath = textValue(raw, 'config', 'the path of a file');
  const file = await readConfigOption(raw, io);
  const targets = targetsIn(raw, io, { enabled, file, configPath });
  if (!enabled && command.length === 0) throw new UsageError('--no-server-metrics needs a command behind --');
  const quiet = raw.quiet === true;
  const prefix = textValue(raw, 'profile-export-prefix', 'the beginning of file names');
  const folder = textValue(raw, 'artifact-dir', 'a folder');
  return {
    plan: {
      folder: resolve(io.cwd, folder ?? `artifacts/${runName}`),
      ...(prefix === undefined ? {} : { prefix: cleanPrefix(prefix) }),
      targets,
      ...timesOf(raw, command),
      exports: exportsOf(raw),
      storage: { memoryLimit: memoryLimit(raw), keepJournal: raw['keep-journal'] === true },
      settings: withDefaults(readSettings(io.env), file),
      ...(command.length > 0 ? { command } : {}),
      ...(configPath === undefined ? {} : { config: configPath }),
    },
    enabled,
    command,
    hasDefaultFolder: folder === undefined,
    required: raw['require-server-metrics'] === true,
    quiet,
    live: (raw.live ?? (command.length === 0 && io.stderr.isTTY === true)) === true && !quiet,
  };
}

interface WhereToLook {
  readonly enabled: boolean;
  readonly file: ConfigFile | undefined;
  readonly configPath: string | undefined;
}

/** None with --no-server-metrics, otherwise one at least. */
function targetsIn(raw: RawOptions, io: Io, { enabled, file, configPath }: WhereToLook): readonly Target[] {
  const named = list(raw['server-metrics']);
  if (!enabled && named.length > 0)
    throw new UsageError('cannot use both --server-metrics and --no-server-metrics');
  const options = readAccess(raw, io.cwd);
  if (!enabled) return [];
  const targets = targetsOf({ bases: list(raw.url), named, options, ...(file ? { file } : {}) });
  if (targets.length > 0) return targets;
  const listed = file ? `; ${configPath} has no targets` : '';
  throw new UsageError(
    `nothing to scrape; name endpoints with --server-metrics or a server with --url${listed}`,
  );
}

type Times = Pick<CollectPlan, 'durationSeconds' | 'warmupSeconds' | 'settleSeconds'>;

function timesOf(raw: RawOptions, command: readonly string[]): Times {
  const duration = secondsValue(raw, 'duration', 0.001);
  if (duration !== undefined && command.length > 0)
    throw new UsageError('cannot use --duration with a command; the command says how long the run is');
  return {
    ...(duration === undefined ? {} : { durationSeconds: duration }),
    warmupSeconds: secondsValue(raw, 'warmup-duration', 0) ?? 0,
    ...settleOf(raw),
  };
}

function exportsOf(raw: RawOptions): ExportPlan {
  const slice = secondsValue(raw, 'slice-duration', 0.001);
  const formats = raw['server-metrics-formats'] ?? DEFAULT_FORMATS;
  return {
    ...(slice === undefined ? {} : { sliceSeconds: slice }),
    formats: [...new Set(list(formats))] as ExportFormat[],
    parquetPartition: raw['parquet-partition'] === true,
    layouts: layoutsOf(raw),
    percentileMethod: singleValue(raw, 'percentile-method') as PercentileMethod,
  };
}

/** Of a header without quotes the value stands alone, and is nothing to show. */
function strayWord(word: string, raw: RawOptions): string {
  return raw.header === undefined
    ? JSON.stringify(word)
    : "a word by itself (a header is 'Name: value', in quotes)";
}

/** What stands behind `--`, which is there for a command. */
function commandOf(raw: RawOptions): string[] {
  const words = raw['--'];
  if (Array.isArray(words) && words.length === 0)
    throw new UsageError('a command is missing behind --; expected COMMAND ARGS..., or no --');
  const stray = list(raw._).slice(1);
  if (stray.length > 0)
    throw new UsageError(`cannot use ${strayWord(stray[0]!, raw)}; a command stands behind --`);
  return list(words);
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/** What the file says of every endpoint goes before the environment. */
function withDefaults(settings: RunSettings, file: ConfigFile | undefined): RunSettings {
  const { interval } = file?.config.defaults ?? {};
  return interval === undefined ? settings : { ...settings, intervalMs: interval * 1000 };
}

/** What `--settle` without seconds waits at most. */
const SETTLE_SECONDS = 10;

function settleOf(raw: RawOptions): { settleSeconds?: number } {
  if (raw.settle === undefined) return {};
  if (raw.settle === true || raw.settle === '') return { settleSeconds: SETTLE_SECONDS };
  return { settleSeconds: secondsValue(raw, 'settle', 0.001)! };
}
