import { describe, expect, it } from 'vitest';
import { TimeAxis } from '../../src/endpoint/timeAxis.ts';

/** Creates an axis for series with the given times. */
function create(series: readonly (readonly number[])[], scrapes?: readonly number[]): TimeAxis {
  let from = 0;
  const ranges = series.map(times => {
    const range = { from, to: from + times.length };
    from = range.to;
    return range;
  });
  return TimeAxis.create(Float64Array.from(series.flat()), ranges, scrapes && Float64Array.from(scrapes));
}

describe('without the times of the scrapes', () => {
  it('has all times of all series, ascending and once', () => {
    expect([...create([[10, 20, 30], [10, 20, 30], [25, 20], [5]]).times]).toEqual([5, 10, 20, 25, 30]);
  });

  it('is empty without samples', () => {
    expect([...create([]).times]).toEqual([]);
  });
});

describe('with the times of the scrapes', () => {
  const axis = create([[100, 200], [150, 195], [290]], [100, 200, 300]);

  it('has the times of the scrapes only', () => {
    expect([...axis.times]).toEqual([100, 200, 300]);
  });

  it.each([
    [100, 0],
    [150, 1],
    [195, 1],
    [290, 2],
    [301, -1],
  ])('assigns the time %i to row %i', (time, row) => {
    expect(axis.findRow(time)).toBe(row);
  });

  it('adds times that are not followed by a scrape within an interval', () => {
    expect([...create([[50, 350, 900]], [100, 200, 300]).times]).toEqual([100, 200, 300, 350, 900]);
  });
});
