import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { describeSystemError, type StoreMemory } from '@org/core';
import { FormatError, fromPath, JsonSyntaxError } from '@org/formats/read';
import { parseExportName, RunInputError, type RunRecord } from '@org/record';
import { findSampleFiles, readJsonlRecord } from '@org/record/open';
import { findSampledRange } from './imported.ts';

export interface JsonlImportOptions {
  readonly path: string;
  /** Reports whether a metric is a counter, if the JSON export of the run, which has the types, is missing. */
  readonly isCounter: (name: string) => boolean;
  readonly memory?: StoreMemory | undefined;
}

/**
 * Imports a JSONL export of AIPerf or Servelens. The types of metrics are read from the JSON export of the run if it is in
 * the same folder.
 *
 * @throws RunInputError if the file cannot be read, or is not a JSONL export
 */
export async function importJsonl({ path, isCounter, memory }: JsonlImportOptions): Promise<RunRecord> {
  await stat(path).catch((error: Error) => {
    throw new RunInputError(`cannot read ${JSON.stringify(path)}: ${describeSystemError(error)}`);
  });
  const isExport = parseExportName(basename(path)) !== undefined;
  const json = isExport ? (await findSampleFiles(path, undefined)).files.json : undefined;
  const { record, warnings } = await read(path, { json, isCounter, memory });
  const sampled = findSampledRange(record.endpoints) ?? record.period;
  return {
    ...record,
    import: {
      source: 'jsonl',
      path: basename(path),
      from_ns: sampled.startNs,
      to_ns: sampled.endNs,
      samples: record.endpoints.reduce((sum, { store }) => sum + countSamples(store), 0),
      limitations: [...warnings, 'failed scrapes and summaries are not in JSONL'],
    },
  };
}

async function read(
  path: string,
  options: Parameters<typeof readJsonlRecord>[1],
): ReturnType<typeof readJsonlRecord> {
  try {
    return await readJsonlRecord(fromPath(path), options);
  } catch (error) {
    if (error instanceof FormatError || error instanceof JsonSyntaxError)
      throw new RunInputError(`cannot import ${JSON.stringify(path)}: ${error.message}`);
    throw error;
  }
}

function countSamples({ frameCount, layout }: RunRecord['endpoints'][number]['store']): number {
  return frameCount * layout.slotCount;
}
