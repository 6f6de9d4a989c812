import type { Source } from '../source/source.ts';

/** Names of the files that the search recipes of AIPerf and Servelens derive from a sweep. */
export const RECIPE_RESULT_NAME: RegExp =
  /^(degradation_knee|prefill_curve|decode_itl_surface|pareto_sweep|sla_breach)\.json$/;

/** Names of AIPerf's own files, whose contents cannot be recognized. */
const NAMES: readonly RegExp[] = [
  /^search_checkpoint\.json$/,
  /^sampling_design\.json$/,
  RECIPE_RESULT_NAME,
  /_network_latency\.jsonl$/,
  /^output_fragments_.*\.jsonl$/,
  /^aiperf.*\.log$/,
  /_console\.txt$/,
];

/** The start of a search_history.json with a schema. AIPerf's files of this name have none. */
const SEARCH_HISTORY_HEAD = /^\s*\{\s*"schema_version"\s*:/;

/** Starts of AIPerf's own files: the configuration of a run, the mark of an unfinished export, a log, and tables. */
const HEADS: readonly RegExp[] = [
  /^\s*\{\s*"benchmark_id"\s*:\s*("[^"]*"|null)\s*,\s*("sweep_id"\s*:\s*("[^"]*"|null)\s*,\s*)?"cfg"\s*:/,
  /^\s*\{\s*"processing"\s*:\s*(true|false)\s*\}/,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+ - aiperf\S* - [A-Z]+ - /,
  /^[^{[,]*NVIDIA AIPerf \|/,
];

/**
 * Reports whether a file is one of AIPerf's own: its configuration, logs, console text, working files, or the result of a
 * search recipe. Servelens does not read them, so they are not checked.
 */
export function isUncheckedFile({ head, name = '' }: Pick<Source, 'head' | 'name'>): boolean {
  const baseName = name.split(/[/\\]/).at(-1)!.replace(/\.gz$/, '');
  if (NAMES.some(pattern => pattern.test(baseName))) return true;
  const text = new TextDecoder().decode(head);
  if (baseName === 'search_history.json') return !SEARCH_HISTORY_HEAD.test(text);
  return HEADS.some(pattern => pattern.test(text));
}
