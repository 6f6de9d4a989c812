import { describe, expect, it } from 'vitest';
import { createCellGrid } from '../../../src/percentile/moments/cellGrid.ts';

describe('createCellGrid', () => {
  it.each([
    [0, 1, 0.5, 0.2, false],
    [2, 2.5, 2.0001, 1e-5, false],
    [10, 5000, 30, 40, true],
    [-3, 1, 1, 0, false],
  ])(
    'divides (%d, %d] into ascending cells that are narrow around %d ± %d',
    (lower, upper, mean, deviation, tail) => {
      const edges = createCellGrid(lower, upper, mean, deviation, tail);
      expect(edges[0]).toBe(lower);
      expect(edges.at(-1)).toBe(upper);
      expect(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)).toBe(true);
      const near = edges.filter(edge => Math.abs(edge - mean) <= 2 * deviation);
      if (deviation > 0) expect(near.length).toBeGreaterThan(4);
    },
  );
});
