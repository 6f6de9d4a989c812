import type { Frame } from '@org/core';
import type { Reading } from '../exposition/bodyState.ts';
import type { FetchResult } from '../http/exchange.ts';
import type { Failure } from '../http/failure.ts';

/** The outcome of one scrape. */
export interface Scrape {
  /** The HTTP exchange. Its body buffer has been released and must not be read. */
  readonly fetched: FetchResult;
  /** The parsed sample; undefined if `failure` is set. `values` is valid until the endpoint's next scrape. */
  readonly frame?: Frame;
  readonly reading?: Reading;
  readonly failure?: Failure;
}
