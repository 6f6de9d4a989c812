import { nanosecondsAt, numberAt, objectItems, type Values } from './values.ts';

/** How long a total took to come about, as far as the file can tell: seconds. */
export interface Span {
  readonly atLeast: number;
  readonly atMost: number;
}

/** Nobody says how long it took. */
export const anySpan: Span = { atLeast: 0, atMost: Number.POSITIVE_INFINITY };

/**
 * No longer than the endpoint was scraped, and at least from the end of the first timeslice that counted something to the start
 * of the last one that did. Without slices it may be any shorter time: a series can appear late.
 *
 * @param scraped seconds from first to last scrape of the endpoint; undefined when nobody says
 */
export function spanOfSeries(series: Values, key: 'total' | 'count', scraped: number | undefined): Span {
  const active = objectItems(series, 'timeslices', []).filter(([slice]) => (numberAt(slice, key) ?? 0) > 0);
  const [first, last] = [active[0]?.[0], active.at(-1)?.[0]];
  const from = first && nanosecondsAt(first, 'end_ns');
  const to = last && nanosecondsAt(last, 'start_ns');
  const between = from !== undefined && to !== undefined && to > from ? Number(to - from) / 1e9 : 0;
  return { atLeast: between, atMost: scraped ?? anySpan.atMost };
}
