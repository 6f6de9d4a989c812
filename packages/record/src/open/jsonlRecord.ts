import type { StoreMemory } from '@org/core';
import type { Source } from '@org/formats/read';
import { formatMilliseconds } from '../isoTime.ts';
import { RunInputError } from '../runInputError.ts';
import type { TimeRange } from '../runRecord.ts';
import { describeDocument, type Opened, readDescription, toRunRecord } from './exportedRun.ts';
import { createFamilyLookup, createNameLookup, type JsonlSamples, readJsonlStores } from './jsonlStores.ts';

export interface JsonlRecordOptions {
  /** The JSON export of the same run, which describes it and has the types of its metrics. */
  readonly json?: string | undefined;
  /** Reports whether a metric is a counter. Used without a JSON export; other metrics are then of unknown type. */
  readonly isCounter?: (name: string) => boolean;
  readonly memory?: StoreMemory | undefined;
}

/**
 * Reads a run record from a JSONL export. Without a JSON export, the period covers the scrapes that are tagged with the
 * profiling phase or, if none is, all scrapes, and the record has no health of its endpoints.
 *
 * @throws FormatError for an invalid line, RunInputError if there are no lines, and a file system error if the input cannot be
 *   read
 */
export async function readJsonlRecord(
  input: string | Source,
  { json, isCounter = () => false, memory }: JsonlRecordOptions,
): Promise<Opened> {
  if (json !== undefined) {
    const document = await readDescription(json);
    const { stores } = await readJsonlStores(input, createFamilyLookup(document.metrics), memory);
    return { record: toRunRecord(describeDocument(document), stores, memory), warnings: [] };
  }
  const samples = await readJsonlStores(input, createNameLookup(isCounter), memory);
  const { stores, profilingNs } = samples;
  const run = findTimeRange(samples);
  const urls = [...stores.keys()];
  const { summary: _, ...record } = toRunRecord(
    {
      benchmarkId: '',
      version: '',
      inputConfig: {},
      summary: {
        endpoints_configured: urls,
        endpoints_successful: urls,
        start_time: formatMilliseconds(run.startNs),
        end_time: formatMilliseconds(run.endNs),
        profiling_start_ns: profilingNs ?? run.startNs,
        profiling_end_ns: run.endNs,
        endpoint_info: Object.fromEntries(urls.map(url => [url, { total_fetches: 0, unique_updates: 0 }])),
      },
    },
    stores,
    memory,
  );
  return { record, warnings: [MISSING_TYPES] };
}

const MISSING_TYPES =
  'read from raw scrapes, which lack types and the profiling period: metrics other than key metrics are treated as gauges, and the warm-up is included';

function findTimeRange({ firstNs, lastNs }: JsonlSamples): TimeRange {
  if (firstNs === undefined || lastNs === undefined) throw new RunInputError('the file contains no records');
  return { startNs: firstNs, endNs: lastNs };
}
