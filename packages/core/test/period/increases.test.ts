import { describe, expect, it } from 'vitest';
import { computeIncreases } from '../../src/period/increases.ts';
import type { SeriesHistory } from '../../src/period/seriesHistory.ts';

const BIG = 2 ** 53;

/** Name, column, rows after resets, history, expected increases and offsets. */
type Case = readonly [string, number[], number[], SeriesHistory, number[], number[]];

describe('computeIncreases', () => {
  it.each<Case>([
    ['count from the first row', [5, 7, 9], [], {}, [0, 2, 4], []],
    ['count from 0 after a creation', [5, 7, 9], [], { absentNs: 0 }, [5, 7, 9], []],
    ['continue after a reset', [5, 7, 1, 4], [2], {}, [0, 2, 3, 6], [7]],
    ['continue after a restart with a larger value', [5, 7, 9], [2], {}, [0, 2, 11], [7]],
    ['continue after a creation and two resets', [5, 1, 2], [1, 2], { absentNs: 0 }, [5, 6, 8], [5, 6]],
    ['are exact beyond 2^53 after a reset', [BIG, BIG + 10, 5, 8], [2], {}, [0, 10, 15, 18], [BIG + 10]],
  ])('%s', (_name, column, resets, history, values, offsets) => {
    const increases = computeIncreases(Float64Array.from(column), resets, history);
    expect([...increases.values]).toEqual(values);
    expect(increases.offsets).toEqual(offsets);
    expect(increases.base).toBe(history.absentNs === undefined ? column[0] : 0);
  });

  it('are at least 0, unless the column can fall', () => {
    const column = Float64Array.of(0, 2, -3);
    expect([...computeIncreases(column, [], {}).values]).toEqual([0, 2, 0]);
    expect([...computeIncreases(column, [], {}, true).values]).toEqual([0, 2, -3]);
  });
});
