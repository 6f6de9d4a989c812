import { RECIPE_RESULT_NAME } from '../validate/uncheckedFile.ts';

/** Default file names of exports, and names of server metrics and timeslices with a prefix. */
const EXPORT_NAME = matchAny([
  /(^server_metrics_export|_server_metrics(_export)?)\.(json|jsonl|csv|parquet)$/,
  /^profile_export(_aiperf)?(_timeslices)?\.(json|csv)$/,
  /^profile_export_aiperf_(aggregate|collated|sweep)\.json$/,
  /^profile_export_aiperf_(aggregate|sweep)\.csv$/,
  /^profile_export(_raw)?\.jsonl$/,
  /_timeslices\.(json|csv)$/,
  /(^gpu_telemetry_export|_gpu_telemetry)\.jsonl$/,
  /^(phase_manifest|\.aiperf_results_ready)\.json$/,
]);

/** Names of files that accompany exports. In folders without exports, they belong to other programs. */
const COMPANION_NAME = matchAny([
  // The files of one phase, in `phases/<phase>`.
  /^(server_metrics|gpu_telemetry)\.json$/,
  /^(inputs|outputs|run_config|search_history|search_checkpoint|sampling_design|\.aiperf_results_processing)\.json$/,
  // Files that search recipes derive from a sweep, next to its export.
  RECIPE_RESULT_NAME,
  /_(console\.txt|network_latency\.jsonl)$/,
]);

/** Names of files in the folders `logs`, `raw_records` and `output_fragments` of AIPerf. */
const WORKING_NAME = /^(aiperf.*\.log|(raw_records|output_fragments)_.*\.jsonl)$/;

/** Ends of the names of exports, after a prefix. */
const PREFIXED_END = /^((_timeslices)?\.(json|csv)|(_raw|_gpu_telemetry)?\.jsonl)$/;

/** Names that only files of a run have, after their prefix. */
const PREFIX_MARK =
  /^(.+)_(?:server_metrics(?:_export)?\.(?:json|jsonl|csv|parquet)|timeslices\.(?:json|csv)|gpu_telemetry\.jsonl|console\.txt)$/;

function matchAny(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}

/**
 * Finds the prefixes of the exports in a folder, as set with `--profile-export-prefix`: with the prefix p, the profile
 * export is p.json, its requests are in p.jsonl, and server metrics are in p_server_metrics.json.
 *
 * @param names names of the files and folders in the folder
 */
export function findExportPrefixes(names: readonly string[]): ReadonlySet<string> {
  const plainNames = names.map(name => name.replace(/\.gz$/, ''));
  const marked = plainNames.flatMap(name => PREFIX_MARK.exec(name)?.[1] ?? []);
  return new Set([...marked, ...findKilledPrefixes(plainNames)]);
}

/** A killed run of AIPerf leaves only its requests (p.jsonl), the data set and the folder of logs. */
function findKilledPrefixes(names: readonly string[]): readonly string[] {
  if (!names.includes('inputs.json') || !names.includes('logs')) return [];
  const requests = names.filter(
    name => !EXPORT_NAME.test(name) && !/_(raw|network_latency)\.jsonl$/.test(name),
  );
  return requests.flatMap(name => /^(.+)\.jsonl$/.exec(name)?.[1] ?? []);
}

/** What is known about a folder from its parent folders. */
export interface ExportContext {
  /** Prefixes of the exports in the parent folders. */
  readonly prefixes: ReadonlySet<string>;
  /** Whether journals count as exports. */
  readonly withJournals: boolean;
}

/**
 * Returns a function that reports whether a file of a folder belongs to a run: an export, or a file that accompanies
 * exports, such as inputs.json.
 *
 * @param names names of the files and folders in the folder
 */
export function createNameMatcher(
  names: readonly string[],
  { prefixes, withJournals }: ExportContext,
): (name: string) => boolean {
  const isExport = (name: string): boolean =>
    EXPORT_NAME.test(name) ||
    (withJournals && name.endsWith('.journal')) ||
    [...prefixes].some(prefix => name.startsWith(prefix) && PREFIXED_END.test(name.slice(prefix.length)));
  const toPlainName = (name: string): string => name.replace(/\.gz$/, '');
  const hasExports = names.some(name => isExport(toPlainName(name)));
  return name => {
    const plainName = toPlainName(name);
    return (
      isExport(plainName) || WORKING_NAME.test(plainName) || (hasExports && COMPANION_NAME.test(plainName))
    );
  };
}
