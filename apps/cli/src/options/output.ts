import { basename, isAbsolute } from 'node:path';
import { PERCENTILE_METHODS, type PercentileMethod } from '@org/core';
import {
  COMPATIBILITIES,
  type Compatibility,
  DEFAULT_FORMATS,
  EXPORT_LEVELS,
  type ExportFormat,
  type ExportLevel,
  FORMATS,
  getDefaultFormats,
  JSON_LAYOUTS,
  type JsonLayout,
  STATISTICS_WINDOWS,
  type StatisticsWindow,
} from '@org/record';
import type { ExportPlan, StoragePlan } from '@org/run';
import { UsageError } from '@org/terminal';
import {
  createOptionError,
  flag,
  type OptionTable,
  omitUndefined,
  option,
  type RawOptions,
  readByteSize,
  readList,
  readSeconds,
  readText,
} from '@org/terminal/program';

const DEFAULT_MEMORY_LIMIT = '1GiB';

const DEFAULT_PERCENTILE_METHOD: PercentileMethod = 'moments';
/** AIPerf's own method. */
const AIPERF_PERCENTILE_METHOD: PercentileMethod = 'polynomial';

/**
 * The minimum of --memory-limit, in bytes. The latest scrapes of each endpoint are kept in memory regardless of
 * the limit.
 */
const MIN_MEMORY_BYTES = 1 << 20;

/** Options for the artifact folder, exports, statistics and memory. */
export const OUTPUT_OPTIONS: OptionTable = {
  compat: option(
    'PROGRAM',
    'Program whose files to write; aiperf-0.13 writes the files, versions and fields of AIPerf 0.13.0, and nothing else',
    { choices: COMPATIBILITIES, defaultText: 'servelens' },
  ),
  'artifact-dir': option('DIR', 'Folder to write exports to', {
    aliases: ['output', 'o'],
    hiddenAliases: ['output-artifact-dir'],
  }),
  'profile-export-prefix': option('NAME', 'Prefix of export file names, such as NAME_server_metrics.json', {
    aliases: ['profile-export-file'],
  }),
  'server-metrics-formats': {
    hiddenAliases: ['formats'],
    placeholder: 'FORMAT',
    many: 'list',
    choices: FORMATS,
    acceptsCommas: true,
    description: 'Export formats of server metrics',
    defaultText: DEFAULT_FORMATS.join(' '),
  },
  'slice-duration': option(
    'SECONDS',
    'Duration of a timeslice in seconds; required for timeslice statistics',
  ),
  window: option(
    'WINDOW',
    'Time that statistics of server metrics cover: the profiling phase, or, as in AIPerf, all scrapes from its start to the end of the run',
    { choices: STATISTICS_WINDOWS, defaultText: STATISTICS_WINDOWS[0] },
  ),
  'percentile-method': option('METHOD', 'Method to estimate percentiles from histogram buckets', {
    choices: Object.keys(PERCENTILE_METHODS),
    defaultText: DEFAULT_PERCENTILE_METHOD,
  }),
  'json-layout': option(
    'LAYOUT',
    "Layout of the JSON export; legacy is AIPerf's flat layout of 2025, and the only layout with summary metrics",
    { choices: JSON_LAYOUTS, defaultText: '1.0' },
  ),
  'parquet-partition': flag('Also write Parquet rows as a dataset partitioned by endpoint and metric'),
  'keep-journal': flag('Keep the journal after the exports are written'),
  'memory-limit': option('SIZE', 'Maximum memory for samples, such as 512MB; older samples move to disk', {
    defaultText: DEFAULT_MEMORY_LIMIT,
  }),
};

/** The option of commands that write exports from recorded data. */
export const LIST_FILES_OPTION: OptionTable = {
  json: flag('Print the paths and sizes of the written files as JSON, instead of the summary'),
};

/** Options for the results of the load generator. */
export const RESULT_OPTIONS: OptionTable = {
  goodput: option(
    'METRIC:LIMIT',
    'Limits that a request must meet to count toward goodput, in milliseconds for latencies, such as "time_to_first_token:200 request_latency:5000"',
    { many: 'list' },
  ),
  'export-level': {
    aliases: ['profile-export-level'],
    placeholder: 'LEVEL',
    choices: EXPORT_LEVELS,
    description:
      'Detail of the client exports; records adds a line per request, and raw also the requests and responses as sent',
    defaultText: 'records',
  },
  'export-outputs-json': flag('Write the texts of the responses to outputs.json'),
  'auto-plot': flag('Write the page with the charts after the run, as servelens read report does'),
  'plot-required': flag('Exit with 1 if --auto-plot cannot write the page'),
  'show-trace-timing': flag('Show HTTP timings in the summary, such as DNS lookup and connection time'),
};

/** Returns the options with `value of the run` as the default in their help text. */
export function withDefaultsOfRun(table: OptionTable): OptionTable {
  const entries = Object.entries(table).map(([name, declaration]) => [
    name,
    { ...declaration, defaultText: 'value of the run' },
  ]);
  return Object.fromEntries(entries);
}

/** Reads --compat. Returns undefined if the option is not set. */
export function readCompatibility(raw: RawOptions): Compatibility | undefined {
  return raw.compat as Compatibility | undefined;
}

/** Reads --json-layout. Returns undefined if the option is not set. Throws `UsageError` with --compat aiperf-0.13. */
export function readJsonLayout(raw: RawOptions): JsonLayout | undefined {
  const layout = raw['json-layout'] as JsonLayout | undefined;
  if (layout === 'legacy' && raw.compat === 'aiperf-0.13')
    throw new UsageError('cannot use both --compat aiperf-0.13 and --json-layout legacy');
  return layout;
}

/** Reads the export options of a run. Throws `UsageError` if an option is invalid. */
export function readExportPlan(raw: RawOptions): ExportPlan {
  const compatibility = readCompatibility(raw) ?? 'servelens';
  return {
    compatibility,
    formats: readFormats(raw) ?? getDefaultFormats(compatibility),
    parquetPartition: raw['parquet-partition'] === true,
    percentileMethod: readPercentileMethod(raw) ?? getDefaultPercentileMethod(compatibility),
    ...omitUndefined({
      jsonLayout: readJsonLayout(raw),
      sliceSeconds: readSliceSeconds(raw),
      window: readWindow(raw),
    }),
  };
}

/**
 * Reads the export formats, without duplicates. Returns undefined if the option is not set. `name` is the name
 * of the option in the calling command.
 */
export function readFormats(
  raw: RawOptions,
  name: 'server-metrics-formats' | 'formats' = 'server-metrics-formats',
): readonly ExportFormat[] | undefined {
  const formats = readList(raw, name) as ExportFormat[];
  return formats.length === 0 ? undefined : [...new Set(formats)];
}

function getDefaultPercentileMethod(compatibility: Compatibility): PercentileMethod {
  return compatibility === 'aiperf-0.13' ? AIPERF_PERCENTILE_METHOD : DEFAULT_PERCENTILE_METHOD;
}

/** Reads --slice-duration, in seconds. Throws `UsageError` if the value is invalid. */
export function readSliceSeconds(raw: RawOptions): number | undefined {
  return readSeconds(raw, 'slice-duration', 0.001);
}

/** Reads --window. Returns undefined if the option is not set. */
export function readWindow(raw: RawOptions): StatisticsWindow | undefined {
  return raw.window as StatisticsWindow | undefined;
}

/** Reads --percentile-method. Returns undefined if the option is not set. */
export function readPercentileMethod(raw: RawOptions): PercentileMethod | undefined {
  return raw['percentile-method'] as PercentileMethod | undefined;
}

/**
 * Reads the artifact folder, without making the path absolute. `name` is the name of the option in the calling
 * command. Throws `UsageError` if the value is invalid.
 */
export function readArtifactDir(
  raw: RawOptions,
  name: 'artifact-dir' | 'output' = 'artifact-dir',
): string | undefined {
  return readText(raw, name, 'a folder');
}

/** Reads --memory-limit and --keep-journal. Throws `UsageError` if an option is invalid. */
export function readStoragePlan(raw: RawOptions): StoragePlan {
  return { memoryLimit: readMemoryLimit(raw), keepJournal: raw['keep-journal'] === true };
}

/** Reads --memory-limit, in bytes. Throws `UsageError` if the value is invalid. */
export function readMemoryLimit(raw: RawOptions): number {
  const values = { 'memory-limit': raw['memory-limit'] ?? DEFAULT_MEMORY_LIMIT };
  return readByteSize(
    values,
    'memory-limit',
    MIN_MEMORY_BYTES,
    'a size such as 512MB or 1GiB, at least 1MiB',
  )!;
}

/**
 * Endings of export files. As in AIPerf, --profile-export-prefix also accepts the name of an export file, from
 * which the ending is removed. Longer endings come first, so that `_timeslices.csv` matches before `.csv`.
 */
const EXPORT_ENDINGS = [
  '_server_metrics.parquet',
  '_server_metrics.jsonl',
  '_server_metrics.json',
  '_server_metrics.csv',
  '_gpu_telemetry.jsonl',
  '_timeslices.csv',
  '_timeslices.json',
  '_raw.jsonl',
  '_console.txt',
  '.parquet',
  '.jsonl',
  '.json',
  '.csv',
];

/**
 * Reads --profile-export-prefix. Removes the ending of an export file or any other file extension and, as in
 * AIPerf, the folder of an absolute path. Throws `UsageError` for a relative path with folders, or if no usable
 * prefix remains.
 */
export function readExportPrefix(raw: RawOptions): string | undefined {
  const text = readText(raw, 'profile-export-prefix', 'a file name such as my_benchmark');
  if (text === undefined) return undefined;
  const fileName = isAbsolute(text) ? basename(text) : text;
  if (/[/\\]/.test(fileName))
    throw createOptionError(
      'profile-export-prefix',
      text,
      'a file name without folders, such as my_benchmark; set the folder with --artifact-dir',
    );
  const ending =
    EXPORT_ENDINGS.find(candidate => fileName.endsWith(candidate)) ??
    /\.[A-Za-z0-9]+$/.exec(fileName)?.[0] ??
    '';
  const prefix = fileName.slice(0, fileName.length - ending.length);
  if (prefix === '' || prefix === '.' || prefix === '..')
    throw createOptionError('profile-export-prefix', text, 'a file name such as my_benchmark');
  return prefix;
}

/** Names of files that do not depend on the prefix, without `.json`. */
const FIXED_NAMES: readonly string[] = ['inputs', 'outputs', 'phase_manifest', 'run_config'];

/**
 * Reads --export-level and --export-outputs-json. Throws `UsageError` if the prefix gives the profile export the name of
 * another file.
 */
export function readResultDetail(
  raw: RawOptions,
  prefix: string | undefined,
): { readonly exportLevel?: ExportLevel; readonly exportOutputs?: boolean } {
  if (prefix !== undefined && FIXED_NAMES.includes(prefix.toLowerCase()))
    throw createOptionError(
      'profile-export-prefix',
      prefix,
      `another prefix; ${prefix}.json is the name of another file of the run`,
    );
  return omitUndefined({
    exportLevel: raw['export-level'] as ExportLevel | undefined,
    exportOutputs: raw['export-outputs-json'] === true ? true : undefined,
  });
}
