import {
  type EndpointStore,
  formatLabelsKey,
  type Labels,
  type Series,
  type StoreMemory,
  sortLabels,
} from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import type { Input } from '@org/formats/read';
import { formatUtcMilliseconds } from '../isoTime.ts';
import { RunInputError } from '../runInputError.ts';
import type { TimeRange } from '../runRecord.ts';
import { describeDocument, type OpenedRun, readDescription, toRunRecord } from './exportedRun.ts';
import {
  createFamilyLookup,
  createNameLookup,
  findFirst,
  type JsonlSamples,
  readJsonlStores,
} from './jsonlStores.ts';
import { createSupplement } from './jsonlSupplement.ts';

export interface JsonlRecordOptions {
  /** Path of the JSON export of the same run, which describes the run and the types of its metrics. */
  readonly json?: string | undefined;
  /** Path of the Parquet export of the same run. With a JSON export, the times of scrapes that JSONL omits are read from it. */
  readonly parquet?: string | undefined;
  /**
   * Reports whether a metric is a counter. Used only without a JSON export, when all other metrics except
   * histograms are of unknown type.
   */
  readonly isCounter?: (name: string) => boolean;
  readonly memory?: StoreMemory | undefined;
}

/**
 * Reads a run record from a JSONL export. Without a JSON export, the period starts with the first scrape that
 * is tagged as profiling (or with the first scrape, if none is tagged) and ends with the last scrape, and
 * endpoint health is unknown.
 *
 * @throws FormatError for an invalid line, RunInputError if there are no lines, and a file system error if
 * the input cannot be read
 */
export async function readJsonlRecord(
  input: Input,
  { json, parquet, isCounter = () => false, memory }: JsonlRecordOptions,
): Promise<OpenedRun> {
  if (json !== undefined) {
    const document = await readDescription(json);
    const supplement = await createSupplement(document, parquet);
    const samples = await readJsonlStores(input, createFamilyLookup(document.metrics), memory, supplement);
    const created = listCreated(document.metrics, samples.stores);
    const description = describeDocument(document);
    const { record, warnings } = toRunRecord(description, samples, memory, series => created.has(series));
    const { truncatedNs } = samples;
    const isIncomplete = truncatedNs !== undefined && truncatedNs < record.period.endNs;
    return {
      record,
      warnings: [...samples.warnings, ...warnings],
      ...(isIncomplete ? { isIncomplete } : {}),
    };
  }
  const samples = await readJsonlStores(input, createNameLookup(isCounter), memory);
  const { stores } = samples;
  const tags = [...(samples.profilingScrapesNs?.values() ?? [])];
  const profilingNs = findFirst(tags.flatMap(times => [...times]));
  const range = findTimeRange(samples);
  if ((tags.length > 0 && profilingNs === undefined) || range.startNs === range.endNs)
    throw new RunInputError(
      'the file contains no scrapes of the profiling phase; the run was probably killed before',
    );
  const urls = [...stores.keys()];
  const { record } = toRunRecord(
    {
      benchmarkId: '',
      version: '',
      inputConfig: {},
      summary: {
        endpoints_configured: urls,
        endpoints_successful: urls,
        start_time: formatUtcMilliseconds(range.startNs),
        end_time: formatUtcMilliseconds(range.endNs),
        profiling_start_ns: profilingNs ?? range.startNs,
        profiling_end_ns: range.endNs,
        endpoint_info: Object.fromEntries(urls.map(url => [url, { total_fetches: 0, unique_updates: 0 }])),
      },
    },
    samples,
    memory,
  );
  const { summary: _, ...withoutSummary } = record;
  const missing = profilingNs === undefined ? MISSING_TYPES_AND_PERIOD : MISSING_TYPES;
  return { record: withoutSummary, warnings: [...samples.warnings, missing] };
}

/** Lists the series that were created in the run, according to its JSON export. */
function listCreated(
  metrics: ServerMetricsDocument['metrics'],
  stores: ReadonlyMap<string, EndpointStore>,
): ReadonlySet<Series> {
  const formatKey = (url: string, name: string, labels: Labels): string =>
    `${url} ${name} ${formatLabelsKey(labels)}`;
  const keys = new Set<string>();
  for (const [name, { series }] of Object.entries(metrics))
    for (const { endpoint_url, labels, stats } of series)
      if ('created_in_run' in stats)
        keys.add(formatKey(endpoint_url, name, sortLabels(Object.entries(labels ?? {}))));
  const created = new Set<Series>();
  for (const [url, { layout }] of keys.size > 0 ? stores : [])
    for (const series of layout.series)
      if (keys.has(formatKey(url, series.family.name, series.labels))) created.add(series);
  return created;
}

const MISSING_TYPES =
  'read from raw scrapes, which lack types: metrics other than key metrics are treated as gauges; the profiling period ends with the last scrape';

const MISSING_TYPES_AND_PERIOD =
  'read from raw scrapes, which lack types and the profiling period: metrics other than key metrics are treated as gauges, and the warm-up is included';

function findTimeRange({ firstNs, lastNs }: JsonlSamples): TimeRange {
  if (firstNs === undefined || lastNs === undefined) throw new RunInputError('the file contains no records');
  return { startNs: firstNs, endNs: lastNs };
}
