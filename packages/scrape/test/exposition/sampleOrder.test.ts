import { describe, expect, test } from 'vitest';
import type { DeclaredType, Sample } from '../../src/exposition/exposition.ts';
import { readOpenMetricsLine } from '../../src/exposition/openMetricsLine.ts';
import { SampleOrder, type SamplePosition } from '../../src/exposition/sampleOrder.ts';

/** Adds the samples of the family `f`, one per line. Returns the position of each. */
function addLines(type: DeclaredType, lines: readonly string[], strict = true): SamplePosition[] {
  const order = new SampleOrder('f', type);
  return lines.map(text => {
    const { timestamp, valueIndex, ...line } = readOpenMetricsLine(text);
    return order.add({ ...line, valueStart: -1, lineEnd: 0 } as Sample, timestamp, strict);
  });
}

test.each<[DeclaredType, string[], SamplePosition[]]>([
  ['gauge', ['f 1'], ['next']],
  ['gauge', ['f{a="1"} 1', 'f{a="2"} 1'], ['next', 'next']],
  ['gauge', ['f 1', 'f 2'], ['next', 'duplicate']],
  ['gauge', ['f 1 5', 'f 2 6'], ['next', 'next']],
  ['histogram', ['f_bucket{le="1"} 1', 'f_bucket{le="+Inf"} 2', 'f_sum 3'], ['next', 'same', 'same']],
  ['histogram', ['f_bucket{le="1"} 1', 'f_bucket{le="1"} 2'], ['next', 'duplicate']],
  ['histogram', ['f_bucket{a="1",le="1"} 1', 'f_bucket{a="2",le="1"} 1'], ['next', 'next']],
  ['histogram', ['f_bucket{le="1",a="1"} 1', 'f_sum{a="1"} 1'], ['next', 'same']],
  ['stateset', ['f{f="on"} 1', 'f{f="off"} 0'], ['next', 'same']],
  ['info', ['f_info{a="1"} 1', 'f_info{b="1"} 1', 'f_info{a="1"} 1'], ['next', 'same', 'duplicate']],
])('classifies the samples of a %s: %j', (type, lines, positions) => {
  expect(addLines(type, lines)).toEqual(positions);
});

describe('the order', () => {
  test.each<[DeclaredType, string[], string]>([
    ['gauge', ['f{a="1"} 1', 'f{a="2"} 1', 'f{a="1"} 2'], 'the samples of one metric are not contiguous'],
    ['gauge', ['f 1 5', 'f 2'], 'some samples of one metric have a timestamp and others have none'],
    ['gauge', ['f 1 5', 'f 2 4.999999999'], 'the timestamps of a metric go backwards'],
  ])('of a %s is checked in strict mode: %j', (type, lines, reason) => {
    expect(() => addLines(type, lines)).toThrow(expect.objectContaining({ message: reason }));
    expect(() => addLines(type, lines, false)).not.toThrow();
  });
});
