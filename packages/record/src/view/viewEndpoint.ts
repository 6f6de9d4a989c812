import type { Period, SeriesHistories } from '@org/core';
import type { EndpointRecord } from '../runRecord.ts';

/** An endpoint and its part of the period, in ns since the origin of the store's timeline. */
export interface ViewEndpoint {
  readonly record: EndpointRecord;
  readonly period: Period;
  /** Evidence of the creation of series in the period, and of restarts. */
  readonly histories: SeriesHistories;
}
