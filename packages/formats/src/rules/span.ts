import { getNanoseconds, getNumber, listObjectItems, type Values } from './values.ts';

/** Lower and upper bounds of the counting time of a total, in seconds. */
export interface Span {
  readonly atLeast: number;
  readonly atMost: number;
}

/** The span of a series without any time information. */
export const UNKNOWN_SPAN: Span = { atLeast: 0, atMost: Number.POSITIVE_INFINITY };

/**
 * Returns the bounds of the counting time of a series: at most the time from the first to the last scrape, and at least the
 * time from the end of the first active timeslice to the start of the last one. Without timeslices the lower
 * bound is 0, because a series can appear late.
 *
 * @param scraped seconds from the first to the last scrape of the endpoint; undefined if unknown
 */
export function findSpan(series: Values, key: 'total' | 'count', scraped: number | undefined): Span {
  const active = listObjectItems(series, 'timeslices', []).filter(
    ([slice]) => (getNumber(slice, key) ?? 0) > 0,
  );
  const [first, last] = [active[0]?.[0], active.at(-1)?.[0]];
  const from = first && getNanoseconds(first, 'end_ns');
  const to = last && getNanoseconds(last, 'start_ns');
  const between = from !== undefined && to !== undefined && to > from ? Number(to - from) / 1e9 : 0;
  return { atLeast: between, atMost: scraped ?? UNKNOWN_SPAN.atMost };
}
