import { formatValue } from '@org/core';

/**
 * Formats a rate; if it is known only as an interval, as `11.3–13.7`. `width` is the maximum number of characters of the
 * text.
 */
export function formatRate(
  rate: number,
  upper: number | null | undefined,
  unit: string | null,
  width?: number,
): string {
  if (upper === null || upper === undefined) return formatValue(rate, unit, width);
  const partWidth = width === undefined ? undefined : Math.max(4, Math.floor((width - 1) / 2));
  return `${formatValue(rate, unit, partWidth)}–${formatValue(upper, unit, partWidth)}`;
}
