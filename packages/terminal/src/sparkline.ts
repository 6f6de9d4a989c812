import sparkly from 'sparkly';

/**
 * Renders values as a line of block characters, from 0 (or the lowest value, if that is negative) to the
 * highest. If there are more than `width` values, adjacent values are averaged. Returns an empty string for
 * fewer than two values.
 */
export function renderSparkline(values: readonly number[], width: number): string {
  if (values.length < 2 || width < 1) return '';
  const points = values.length <= width ? values : averageGroups(values, width);
  const highest = Math.max(...points);
  const lowest = Math.min(0, ...points);
  // An empty range has no shape: draw a flat line at the bottom.
  if (highest === lowest) return '▁'.repeat(points.length);
  return sparkly([...points], { minimum: lowest, maximum: highest });
}

function averageGroups(values: readonly number[], groups: number): number[] {
  return Array.from({ length: groups }, (_, i) => {
    const start = Math.floor((i * values.length) / groups);
    const group = values.slice(start, Math.max(start + 1, Math.floor(((i + 1) * values.length) / groups)));
    return group.reduce((sum, value) => sum + value, 0) / group.length;
  });
}
