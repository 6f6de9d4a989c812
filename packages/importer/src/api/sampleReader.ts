import type { Selector } from '../selector.ts';
import type { SeriesSink } from '../series.ts';

/** The APIs that samples are read from, from the most to the least complete. */
export const APIS = ['remote-read', 'victoria-metrics', 'query-range'] as const;
export type Api = (typeof APIS)[number];

/** A time range that contains its start and not its end, in Unix milliseconds. */
export interface MsRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads the samples of an API. */
export interface SampleReader {
  readonly api: Api;
  /** Reads the samples of a selector in a time range. Throws `ApiError` or `ResponseError`. */
  read(selector: Selector, range: MsRange, sink: SeriesSink, signal: AbortSignal): Promise<void>;
  /** Returns sentences about samples that could not be imported. */
  listLosses(): readonly string[];
}

/** Thrown for a response that cannot be used although its status is 200. `message` is a predicate. */
export class ResponseError extends Error {
  override readonly name: string = 'ResponseError';
}
