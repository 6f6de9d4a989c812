import sparkly from 'sparkly';

/** A value of a sparkline; null for a blank gap. */
type Point = number | null;

/**
 * Renders values as a line of block characters, from 0 (or the lowest value, if that is negative) to the
 * highest or to `maximum`, with a space for null. If there are more than `width` values, adjacent values are averaged. Returns an empty
 * string for fewer than two values, and if all are null.
 */
export function renderSparkline(values: readonly Point[], width: number, maximum?: number): string {
  if (values.length < 2 || width < 1) return '';
  const points = values.length <= width ? values : averageGroups(values, width);
  const known = points.filter(point => point !== null);
  if (known.length === 0) return '';
  const highest = maximum ?? Math.max(...known);
  const lowest = Math.min(0, ...known);
  // An empty range has no shape: draw a flat line at the bottom.
  const blocks =
    highest === lowest ? '▁'.repeat(known.length) : sparkly(known, { minimum: lowest, maximum: highest });
  const remaining = [...blocks];
  return points.map(point => (point === null ? ' ' : remaining.shift())).join('');
}

function averageGroups(values: readonly Point[], groups: number): Point[] {
  return Array.from({ length: groups }, (_, i) => {
    const start = Math.floor((i * values.length) / groups);
    const end = Math.max(start + 1, Math.floor(((i + 1) * values.length) / groups));
    const group = values.slice(start, end).filter(value => value !== null);
    return group.length === 0 ? null : group.reduce((sum, value) => sum + value, 0) / group.length;
  });
}
