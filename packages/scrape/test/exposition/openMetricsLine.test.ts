import { describe, expect, test } from 'vitest';
import { readOpenMetricsLine, readTail } from '../../src/exposition/openMetricsLine.ts';

const toTimestamp = (seconds: number) => ({ time: seconds, seconds, nanos: 0 });

describe('readOpenMetricsLine', () => {
  test.each([
    ['a 1', { name: 'a', labels: [], value: 1, valueIndex: 2 }],
    ['a{} +Inf 5', { name: 'a', labels: [], value: Infinity, valueIndex: 4, timestamp: toTimestamp(5) }],
    ['{"a b",x="}"} 2', { name: 'a b', labels: [['x', '}']], value: 2, valueIndex: 14 }],
    [
      'a{x="1"} {count:1,sum:1,schema:0,zero_threshold:0,zero_count:1}',
      { name: 'a', labels: [['x', '1']], value: Number.NaN, valueIndex: -1, native: true },
    ],
  ])('reads %s', (text, expected) => {
    expect(readOpenMetricsLine(text)).toEqual(expected);
  });

  test.each([
    ['a', 'expected one space and a value after the name and labels'],
    ['a{x="1"}2', 'expected one space and a value after the name and labels'],
    ['a  1', 'expected a number, got nothing'],
    ['a one', 'expected a number, got one'],
    ['1a 1', 'not a metric name: 1a'],
    ['a{x="1" 1', 'the closing } of the labels is missing'],
    ['a 1 soon', 'expected a timestamp in seconds, got soon'],
  ])('rejects %s', (text, reason) => {
    expect(() => readOpenMetricsLine(text)).toThrow(expect.objectContaining({ message: reason }));
  });
});

describe('readTail', () => {
  test.each([
    ['5', { timestamp: toTimestamp(5) }],
    ['# {} 2', { exemplar: { labels: [], value: 2 } }],
    ['# {id="} 1"} 2 3', { exemplar: { labels: [['id', '} 1']], value: 2, timestamp: 3 } }],
    ['5 # {id="x"} 2', { timestamp: toTimestamp(5), exemplar: { labels: [['id', 'x']], value: 2 } }],
    [
      `# {id="${'🦙'.repeat(126)}"} 2`,
      { exemplar: { labels: [['id', '🦙'.repeat(126)]], value: 2 } }, // 128 characters with the name
    ],
  ])('reads %s', (text, expected) => {
    expect(readTail(text)).toEqual(expected);
  });

  test.each([
    ['# x', 'expected an exemplar, # {labels} value'],
    ['# {id="x"}', 'expected an exemplar, # {labels} value'],
    ['# {"id"} 1', 'unexpected metric name in an exemplar: id'],
    [`# {id="${'x'.repeat(127)}"} 1`, 'the labels of an exemplar exceed 128 characters, got 129'],
    ['5 6', 'expected an exemplar, # {labels} value'],
  ])('rejects %s', (text, reason) => {
    expect(() => readTail(text)).toThrow(expect.objectContaining({ message: reason }));
  });
});
