import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { resolveTargets } from '@org/discovery';
import {
  type Api,
  type PageTime,
  parseDurationMs,
  parseSelector,
  parseTimeMs,
  type Selector,
} from '@org/importer';
import type { ExportPlan } from '@org/run';
import type { Target } from '@org/scrape';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  type Io,
  isSet,
  type RawOptions,
  readList,
  readText,
} from '@org/terminal/program';
import { formatSettingOption, readConnection } from '../options/connection.ts';
import { readArtifactDir, readExportPlan, readMemoryLimit } from '../options/output.ts';

/** A time as the user wrote it, and in Unix milliseconds. */
export interface TimeOption {
  readonly text: string;
  readonly ms: number;
}

/** The source of an import. */
export type ImportSource =
  | {
      readonly kind: 'api';
      readonly target: Target;
      readonly api: Api | undefined;
      readonly selectors: readonly Selector[];
      readonly from: TimeOption;
      readonly to: TimeOption;
      readonly pieceMs: number;
      readonly stepMs: number;
    }
  | { readonly kind: 'pages'; readonly folder: string; readonly timeFrom: PageTime | undefined }
  | { readonly kind: 'jsonl'; readonly path: string };

/** The validated options of `servelens import`. */
export interface ImportOptions {
  readonly source: ImportSource;
  /** Undefined for a new folder with a default name. */
  readonly folder: string | undefined;
  readonly profilingStartMs: number | undefined;
  readonly profilingEndMs: number | undefined;
  readonly exports: ExportPlan;
  readonly memoryLimit: number;
  readonly isQuiet: boolean;
  /** True to print the written files as JSON. */
  readonly printsJson: boolean;
}

/** Options that apply to one kind of source. */
const SOURCE_OPTIONS: Readonly<Record<ImportSource['kind'], readonly string[]>> = {
  api: [
    ...[
      'match',
      'from',
      'to',
      'api',
      'step',
      'piece-duration',
      'header',
      'bearer-token-file',
      'basic-auth-file',
    ],
    ...['ca-file', 'cert-file', 'key-file', 'insecure', 'timeout'],
  ],
  pages: ['page-time'],
  jsonl: [],
};

const SOURCE_NAMES: Readonly<Record<ImportSource['kind'], string>> = {
  api: 'an API',
  pages: 'a folder of metrics pages',
  jsonl: 'a JSONL export',
};

/** Reads and validates the options. Throws `UsageError` or `RunInputError` if one is invalid. */
export function readImportOptions(raw: RawOptions, io: Io, nowMs: number): ImportOptions {
  const source = readSource(raw, io, nowMs);
  rejectOtherOptions(raw, source.kind);
  const folder = readArtifactDir(raw);
  return {
    source,
    folder: folder === undefined ? undefined : resolve(io.cwd, folder),
    profilingStartMs: readTime(raw, 'profiling-start', nowMs)?.ms,
    profilingEndMs: readTime(raw, 'profiling-end', nowMs)?.ms,
    exports: readExportPlan(raw),
    memoryLimit: readMemoryLimit(raw),
    isQuiet: isSet(raw, 'quiet'),
    printsJson: isSet(raw, 'json'),
  };
}

function readSource(raw: RawOptions, io: Io, nowMs: number): ImportSource {
  const text = String(raw.source);
  if (/^https?:\/\//i.test(text)) return readApiSource(raw, text, io, nowMs);
  const path = resolve(io.cwd, text);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats)
    throw new UsageError(
      `${JSON.stringify(text)} does not exist; expected the base URL of an API such as http://host:9090, a folder of metrics pages, or a JSONL export`,
    );
  if (!stats.isDirectory()) return { kind: 'jsonl', path };
  return { kind: 'pages', folder: path, timeFrom: raw['page-time'] as PageTime | undefined };
}

function readApiSource(raw: RawOptions, url: string, io: Io, nowMs: number): ImportSource {
  const selectors = readList(raw, 'match').map(parseSelector);
  if (selectors.length === 0)
    throw new UsageError(
      `--match is required for an API; set the series to import, such as --match '{job="vllm"}'`,
    );
  const from = readTime(raw, 'from', nowMs) ?? { text: '1h', ms: nowMs - 3_600_000 };
  const to = readTime(raw, 'to', nowMs) ?? { text: 'now', ms: nowMs };
  if (from.ms >= to.ms)
    throw new UsageError(
      `--from ${from.text} is not before --to ${to.text}; both are durations before now or times`,
    );
  const api = raw.api === 'auto' ? undefined : (raw.api as Api | undefined);
  const pieceMs = readDuration(raw, 'piece-duration', 3_600_000, 60_000);
  const stepMs = readDuration(raw, 'step', 15_000, 1);
  return { kind: 'api', target: readTarget(raw, url, io), api, selectors, from, to, pieceMs, stepMs };
}

function readTarget(raw: RawOptions, url: string, io: Io): Target {
  const [target] = resolveTargets({
    servers: [],
    endpoints: [`exact:${url}`],
    options: readConnection(raw, io.cwd),
    nameOption: formatSettingOption,
  });
  return target!;
}

function readTime(raw: RawOptions, name: string, nowMs: number): TimeOption | undefined {
  const text = readText(raw, name, 'a time');
  return text === undefined ? undefined : { text, ms: Math.round(parseTimeMs(text, `--${name}`, nowMs)) };
}

function readDuration(raw: RawOptions, name: string, defaultMs: number, minMs: number): number {
  const text = readText(raw, name, 'a duration such as 15s');
  if (text === undefined) return defaultMs;
  const ms = parseDurationMs(text);
  if (ms === undefined || ms < minMs)
    throw createOptionError(name, text, `a duration of at least ${minMs} ms, such as 15s or 1h`);
  return ms;
}

function rejectOtherOptions(raw: RawOptions, kind: ImportSource['kind']): void {
  for (const [other, names] of Object.entries(SOURCE_OPTIONS)) {
    const name = other === kind ? undefined : names.find(candidate => raw[candidate] !== undefined);
    if (name !== undefined)
      throw new UsageError(
        `--${name} has no effect on ${SOURCE_NAMES[kind]}; it applies to ${SOURCE_NAMES[other as ImportSource['kind']]}`,
      );
  }
}
