import { expect, test } from 'vitest';
import { checkNativeHistogram } from '../../src/exposition/nativeHistogram.ts';

const REQUIRED = 'count:24,sum:100.5,schema:-1,zero_threshold:0.001,zero_count:4';

test.each([
  `{${REQUIRED}}`,
  `{${REQUIRED},positive_spans:[0:2,1:2],positive_deltas:[2,1,-3,3]}`,
  `{${REQUIRED},negative_spans:[],negative_deltas:[]}`,
  '{count:24,sum:NaN,schema:0,zero_threshold:1e-9,zero_count:4}',
])('accepts %s', text => {
  expect(() => checkNativeHistogram(text)).not.toThrow();
});

test.each([
  ['{}', 'expected a native histogram, {count:...,sum:...,schema:...}'],
  [`{${REQUIRED}`, 'expected a native histogram, {count:...,sum:...,schema:...}'],
  [`{${REQUIRED}} 5`, 'unexpected text after a native histogram'],
  ['{count:24,sum:100,schema:0,zero_threshold:1}', 'a native histogram needs zero_count'],
  [`{${REQUIRED},count:1}`, 'count occurs twice in a native histogram'],
  [`{${REQUIRED.replace('24', '2.5')}}`, 'not a field of a native histogram: count:2.5'],
  [`{${REQUIRED},positive_spans:5}`, 'not a field of a native histogram: positive_spans:5'],
  [`{${REQUIRED},positive_spans:[1]}`, 'not a field of a native histogram: positive_spans:[1]'],
  [`{${REQUIRED},sums:[1]}`, 'not a field of a native histogram: sums:[1]'],
])('rejects %s', (text, reason) => {
  expect(() => checkNativeHistogram(text)).toThrow(expect.objectContaining({ message: reason }));
});
