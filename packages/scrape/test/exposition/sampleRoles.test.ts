import { expect, test } from 'vitest';
import type { DeclaredType, Sample } from '../../src/exposition/exposition.ts';
import { readOpenMetricsLine } from '../../src/exposition/openMetricsLine.ts';
import {
  allowsValue,
  findDistinguishingLabel,
  findRole,
  findViolation,
  listSampleNames,
  parseType,
} from '../../src/exposition/sampleRoles.ts';

function toSample(text: string): Sample {
  const { timestamp, valueIndex, ...line } = readOpenMetricsLine(text);
  return { ...line, valueStart: -1, lineEnd: 0 };
}

test.each<[DeclaredType, string]>([
  ['counter', 'f_total 1.5'],
  ['counter', 'f_total 1 # {id="x"} 1'],
  ['counter', 'f_created -1'],
  ['gauge', 'f NaN'],
  ['info', 'f_info{v="1"} 1'],
  ['stateset', 'f{f="on"} 0'],
  ['summary', 'f{quantile="0.5"} NaN'],
  ['histogram', 'f_bucket{le="+Inf"} 3'],
  ['gaugehistogram', 'f_gsum -1'],
])('a %s allows %s', (type, line) => {
  const sample = toSample(line);
  expect(findViolation('f', type, sample)).toBeUndefined();
  expect(allowsValue(findRole('f', type, sample)!, sample.value)).toBe(true);
});

test.each<[DeclaredType, string, string]>([
  ['counter', 'f 1', 'a counter has no such sample: f'],
  ['gauge', 'f 1 # {id="x"} 1', 'only buckets and the totals of counters have exemplars'],
  ['counter', 'f_total NaN', 'f_total cannot be NaN'],
  ['counter', 'f_total -1', 'f_total cannot be negative'],
  ['info', 'f_info 2', 'f_info must be 1'],
  ['stateset', 'f{f="on"} 2', 'f must be 0 or 1'],
  ['stateset', 'f 1', 'a stateset sample needs the label f'],
  ['summary', 'f_count 1.5', 'f_count must be a whole number'],
  ['summary', 'f{quantile="2"} 1', 'a quantile needs a number from 0 to 1 in its label quantile, got 2'],
  ['histogram', 'f_bucket 1', 'a bucket needs a number or +Inf in its label le, got undefined'],
  ['histogram', 'f_bucket{le="inf"} 1', 'a bucket needs a number or +Inf in its label le, got inf'],
])('a %s rejects %s: %s', (type, line, violation) => {
  expect(findViolation('f', type, toSample(line))).toBe(violation);
});

test.each<[DeclaredType, string, string | undefined]>([
  ['histogram', 'f_bucket{le="1"} 1', 'le'],
  ['histogram', 'f_sum 1', undefined],
  ['summary', 'f{quantile="0.5"} 1', 'quantile'],
  ['stateset', 'f{f="on"} 1', 'f'],
])('the samples of a %s such as %s are distinguished by the label %s', (type, line, label) => {
  expect(findDistinguishingLabel('f', type, toSample(line))).toBe(label);
});

test('parses type names and lists the sample names of a family', () => {
  expect(parseType('counter')).toBe('counter');
  expect(parseType('toString')).toBeUndefined();
  expect(listSampleNames('f', 'summary')).toEqual(['f', 'f_count', 'f_sum', 'f_created']);
});
