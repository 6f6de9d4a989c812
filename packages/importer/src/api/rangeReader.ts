import { parseMatrixSeries, SeriesError } from '../json/jsonSeries.ts';
import { ObjectSplitter } from '../json/objectSplitter.ts';
import type { Selector } from '../selector.ts';
import type { SeriesSink } from '../series.ts';
import type { ApiClient } from './apiClient.ts';
import { type MsRange, ResponseError, type SampleReader } from './sampleReader.ts';

/** Depth of the series in `{"data":{"result":[{...}]}}`. */
const SERIES_DEPTH = 4;
/** Maximum number of points per series in one response of Prometheus. */
const MAX_POINTS = 11_000;

/**
 * Reads the values that `query_range` returns at fixed steps. They are not the samples as stored: a value is repeated for
 * up to five minutes if there is no newer sample, and samples between two steps are missing.
 */
export class RangeReader implements SampleReader {
  readonly api = 'query-range';
  readonly #client: ApiClient;
  readonly #stepMs: number;

  constructor(client: ApiClient, stepMs: number) {
    this.#client = client;
    this.#stepMs = stepMs;
  }

  async read(
    selector: Selector,
    { fromMs, toMs }: MsRange,
    sink: SeriesSink,
    signal: AbortSignal,
  ): Promise<void> {
    const step = this.#stepMs;
    // Times are multiples of the step, so that adjacent ranges have the same grid.
    for (let start = Math.ceil(fromMs / step) * step; start < toMs; start += MAX_POINTS * step)
      await this.#readSteps(
        selector,
        start,
        Math.min(toMs - 1, start + (MAX_POINTS - 1) * step),
        sink,
        signal,
      );
  }

  listLosses(): readonly string[] {
    const seconds = this.#stepMs / 1000;
    return [
      `values are read at steps of ${seconds} s, not as stored: a value is repeated for up to 5 minutes after the last sample, and changes between two steps are missing; times of scrapes and failed scrapes are approximate`,
    ];
  }

  async #readSteps(
    { text }: Selector,
    start: number,
    end: number,
    sink: SeriesSink,
    signal: AbortSignal,
  ): Promise<void> {
    const body = new URLSearchParams({
      query: text,
      start: String(start / 1000),
      end: String(end / 1000),
      step: String(this.#stepMs / 1000),
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await this.#client.send({
      method: 'POST',
      path: '/api/v1/query_range',
      headers,
      body,
      signal,
    });
    try {
      const splitter = new ObjectSplitter(SERIES_DEPTH, object => sink(parseMatrixSeries(object)));
      for await (const bytes of response.body) splitter.push(bytes);
      if (!splitter.isComplete) throw new SeriesError('the response ends within the document');
    } catch (error) {
      if (!(error instanceof SeriesError)) throw error;
      throw new ResponseError(`sent a response that cannot be read: ${error.message}`);
    }
  }
}
