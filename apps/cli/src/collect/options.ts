import { resolve } from 'node:path';
import type { PercentileMethod } from '@org/core';
import { DEFAULT_FORMATS, type ExportFormat } from '@org/record';
import type { CollectOptions, Settings } from '@org/run/lifecycle';
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

/** Checks what was asked for. Throws `UsageError`, naming the option, its value and what would be accepted. */
export async function readOptions(raw: RawOptions, io: Io, runName: string): Promise<CollectOptions> {
  const enabled = raw['no-server-metrics'] !== true;
  const command = commandOf(raw);
  const configPath = textValue(raw, 'config', 'the path of a file');
  const file = await readConfigOption(raw, io);
  const targets = targetsIn(raw, io, { enabled, file, configPath });
  if (!enabled && command.length === 0) throw new UsageError('--no-server-metrics needs a command behind --');
  const quiet = raw.quiet === true;
  return {
    targets,
    enabled,
    command,
    ...timesOf(raw, command),
    ...exportsOf(raw, io, runName),
    keepJournal: raw['keep-journal'] === true,
    memoryLimit: memoryLimit(raw),
    required: raw['require-server-metrics'] === true,
    quiet,
    live: (raw.live ?? (command.length === 0 && io.stderr.isTTY === true)) === true && !quiet,
    settings: withDefaults(readSettings(io.env), file),
    ...(configPath === undefined ? {} : { config: configPath }),
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

type Times = Pick<CollectOptions, 'durationSeconds' | 'warmupSeconds' | 'settleSeconds'>;

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

type Exports = Pick<
  CollectOptions,
  | 'sliceSeconds'
  | 'formats'
  | 'parquetPartition'
  | 'layouts'
  | 'prefix'
  | 'percentileMethod'
  | 'folder'
  | 'folderIsOwn'
>;

function exportsOf(raw: RawOptions, io: Io, runName: string): Exports {
  const slice = secondsValue(raw, 'slice-duration', 0.001);
  const prefix = textValue(raw, 'profile-export-prefix', 'the beginning of file names');
  const folder = textValue(raw, 'artifact-dir', 'a folder');
  const formats = raw['server-metrics-formats'] ?? DEFAULT_FORMATS;
  return {
    ...(slice === undefined ? {} : { sliceSeconds: slice }),
    formats: [...new Set(list(formats))] as ExportFormat[],
    parquetPartition: raw['parquet-partition'] === true,
    layouts: layoutsOf(raw),
    ...(prefix === undefined ? {} : { prefix: cleanPrefix(prefix) }),
    percentileMethod: singleValue(raw, 'percentile-method') as PercentileMethod,
    folder: resolve(io.cwd, folder === undefined ? `artifacts/${runName}` : folder),
    folderIsOwn: folder === undefined,
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
function withDefaults(settings: Settings, file: ConfigFile | undefined): Settings {
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
