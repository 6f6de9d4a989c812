import { buildParquetMetadata, type MetadataEntry } from '../../../src/parquet/index.ts';

/** Builds the metadata of a run from `startNs` to `endNs` with the given label columns. */
export function buildRunMetadata(
  labelColumns: readonly string[],
  startNs: bigint,
  endNs: bigint,
): readonly MetadataEntry[] {
  return buildParquetMetadata({
    version: '1.2.3',
    benchmarkId: 'b-1',
    exportTime: new Date(0),
    timeFilterStartNs: startNs,
    timeFilterEndNs: endNs,
    endpointUrls: ['http://node1:8000/metrics', 'http://node2:8000/metrics'],
    labelColumns,
    metricTypeCounts: { gauge: 1, counter: 1, histogram: 1 },
    modelNames: ['Qwen/Qwen3-0.6B'],
    inputConfig: {},
    hostname: 'host',
  });
}
