import type { Run } from '@org/analysis';
import { formatCount } from '@org/core';

/** The source of an imported run, for people. */
export interface ImportSource {
  /** The URL or path and the kind of the source, and the number of samples. */
  readonly source: string;
  /** Sentences on data that the source cannot provide. */
  readonly limitations: readonly string[];
}

/** The kinds of sources as people call them. */
const NAMES: Readonly<Record<string, string>> = {
  remote_read: 'remote read',
  query_range: 'range queries',
  victoria_metrics: "VictoriaMetrics' export",
  metrics_pages: 'metrics pages',
  jsonl: 'JSONL export',
};

/** Describes the source of an imported run; undefined for other runs. */
export function describeImport({ view }: Run): ImportSource | undefined {
  const info = view.summary?.import;
  if (!info) return undefined;
  const place = info.url ?? info.path ?? '';
  const kind = NAMES[info.source] ?? info.source;
  return {
    source: `${place} (${kind}, ${formatCount(info.samples, 'sample')})`.trim(),
    limitations: info.limitations,
  };
}
