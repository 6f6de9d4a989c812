import { readServerMetrics, type ServerMetricsView, type Source } from '@org/formats/read';
import { readRunServers } from '@org/record/servers';
import { type DefinitionFile, extendBuiltInServers } from '@org/servers';
import { decodeHead, isRecord, isRequest } from './contentKind.ts';
import { RunError } from './input.ts';
import { withReadErrors } from './readErrors.ts';
import type { RunLayout } from './run.ts';

/** Options for reading server metrics. */
export interface Reading {
  /** Definitions of servers in addition to the built-in ones and those that the run recorded. */
  readonly added: readonly DefinitionFile[];
  readonly skipsUnusedSlices: boolean;
}

/** Server metrics, and the kind of file that they were read from. */
export interface MetricsWithLayout {
  readonly layout: RunLayout;
  readonly view: ServerMetricsView;
  readonly notes?: readonly string[];
}

/** Reads server metrics. Computes the statistics if the file contains only samples. */
export async function readMetrics(
  file: string,
  source: Source,
  reading: Reading,
): Promise<MetricsWithLayout> {
  const { added } = reading;
  const head = decodeHead(source);
  if (head === '')
    throw new RunError(
      `cannot read ${JSON.stringify(file)}: the file is empty; its writer was probably killed`,
    );
  if (head.startsWith('PAR1')) {
    const { readParquetMetrics } = await import('./sampledMetrics.ts');
    return { layout: 'parquet', ...(await withReadErrors(file, () => readParquetMetrics(source, added))) };
  }
  if (isRecord(head)) {
    const { readJsonlMetrics } = await import('./sampledMetrics.ts');
    return { layout: 'jsonl', ...(await withReadErrors(file, () => readJsonlMetrics(source, added))) };
  }
  if (isRequest(head))
    throw new RunError(
      `${JSON.stringify(file)} contains individual requests; specify profile_export_aiperf.json or its folder`,
    );
  const view = await withReadErrors(file, () => readAggregated(source, reading));
  return { layout: detectLayout(view), view };
}

/** Reads aggregated server metrics, without unused timeslices if they are skipped and the run has no other servers. */
async function readAggregated(
  source: Source,
  { added, skipsUnusedSlices }: Reading,
): Promise<ServerMetricsView> {
  // Pipes and compressed files can be read only once, and are read completely anyway.
  if (!skipsUnusedSlices || source.file === undefined) return await readServerMetrics(source);
  const catalog = extendBuiltInServers(added);
  const skipsSlices = (name: string): boolean => catalog.isKnown(name) && !catalog.isUsed(name);
  const view = await readServerMetrics(source, { skipsSlices });
  const { definitions } = await readRunServers(view.servelens_config);
  return definitions.length === 0 ? view : await readServerMetrics(source);
}

function detectLayout(view: ServerMetricsView): RunLayout {
  if (view.schema_version === 'legacy') return 'legacy';
  return view.summary ? 'json' : 'csv';
}
