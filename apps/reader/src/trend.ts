import sparkly from 'sparkly';
import { mean } from './together.ts';

/**
 * A line of block characters, from 0 (or the lowest value, when that is negative) to the highest. More values than `width`
 * are averaged in groups. Empty for fewer than two values.
 */
export function trendLine(values: readonly number[], width: number): string {
  if (values.length < 2 || width < 1) return '';
  const points = values.length <= width ? values : averaged(values, width);
  const highest = Math.max(...points);
  const lowest = Math.min(0, ...points);
  // A range of nothing has no shape: a flat line at the bottom.
  if (highest === lowest) return '▁'.repeat(points.length);
  return sparkly([...points], { minimum: lowest, maximum: highest });
}

function averaged(values: readonly number[], width: number): number[] {
  return Array.from({ length: width }, (_, i) => {
    const from = Math.floor((i * values.length) / width);
    const group = values.slice(from, Math.max(from + 1, Math.floor(((i + 1) * values.length) / width)));
    return mean(group);
  });
}
