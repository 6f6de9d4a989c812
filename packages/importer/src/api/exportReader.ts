import { parseExportLine, SeriesError } from '../json/jsonSeries.ts';
import type { Selector } from '../selector.ts';
import type { SeriesSink } from '../series.ts';
import type { ApiClient } from './apiClient.ts';
import { type MsRange, ResponseError, type SampleReader } from './sampleReader.ts';

const NEWLINE = 10;

/** Reads samples as stored, from the export of VictoriaMetrics (https://docs.victoriametrics.com/#how-to-export-time-series). */
export class ExportReader implements SampleReader {
  readonly api = 'victoria-metrics';
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async read(
    { text }: Selector,
    { fromMs, toMs }: MsRange,
    sink: SeriesSink,
    signal: AbortSignal,
  ): Promise<void> {
    const query = new URLSearchParams({
      'match[]': text,
      start: String(fromMs / 1000),
      end: String((toMs - 1) / 1000),
      // Blocks are sent as they are stored, so that the server needs little memory.
      reduce_mem_usage: '1',
    });
    const { body } = await this.#client.send({ method: 'GET', path: `/api/v1/export?${query}`, signal });
    try {
      for await (const line of splitLines(body)) if (line.trim() !== '') sink(parseExportLine(line));
    } catch (error) {
      if (!(error instanceof SeriesError)) throw error;
      throw new ResponseError(`sent a response that cannot be read: ${error.message}`);
    }
  }

  listLosses(): readonly string[] {
    return [];
  }
}

async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  for await (const bytes of body) {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, bytes.subarray(start, end)]).toString('utf8');
      parts = [];
      start = end + 1;
    }
    if (start < bytes.length) parts.push(bytes.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8');
}
