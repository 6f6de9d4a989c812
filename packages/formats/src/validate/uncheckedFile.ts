import type { Source } from '../source/source.ts';

/** Names of AIPerf's own files, whose contents cannot be recognized. */
const NAMES: readonly RegExp[] = [
  /^search_(history|checkpoint)\.json$/,
  /^sampling_design\.json$/,
  /_network_latency\.jsonl$/,
  /^output_fragments_.*\.jsonl$/,
  /^aiperf.*\.log$/,
  /_console\.txt$/,
];

/** Starts of AIPerf's own files: the configuration of a run, the mark of an unfinished export, a log, and tables. */
const HEADS: readonly RegExp[] = [
  /^\s*\{\s*"benchmark_id"\s*:\s*("[^"]*"|null)\s*,\s*("sweep_id"\s*:\s*("[^"]*"|null)\s*,\s*)?"cfg"\s*:/,
  /^\s*\{\s*"processing"\s*:\s*(true|false)\s*\}/,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+ - aiperf\S* - [A-Z]+ - /,
  /^[^{[,]*NVIDIA AIPerf \|/,
];

/**
 * Reports whether a file is one of AIPerf's own: its configuration, logs, console text or working files. No other program
 * reads them, so they are not checked.
 */
export function isUncheckedFile({ head, name = '' }: Pick<Source, 'head' | 'name'>): boolean {
  const baseName = name.split(/[/\\]/).at(-1)!.replace(/\.gz$/, '');
  if (NAMES.some(pattern => pattern.test(baseName))) return true;
  const text = new TextDecoder().decode(head);
  return HEADS.some(pattern => pattern.test(text));
}
