import { expect, it } from 'vitest';
import { isMetricBlock, listProfileBlocks, RECORD_TAGS, SINGLE_TAGS } from '../../src/json/profileMetrics.ts';

it.each([
  [{ unit: 'ms' }, true],
  [{ avg: 1 }, true],
  [{ mean: 1 }, false],
  [Object.create({ unit: 'inherited' }), false],
])('isMetricBlock(%j) is %s', (value, expected) => {
  expect(isMetricBlock(value)).toBe(expected);
});

it('listProfileBlocks skips fields of the document, even if they have a unit', () => {
  const document = {
    schema_version: '1.3',
    request_latency: { unit: 'ms', avg: 1 },
    input_config: { unit: 'ms' },
    extra: { x: 1 },
    list: [{ unit: 'ms' }],
  };
  expect(listProfileBlocks(document)).toEqual([
    ['request_latency', { unit: 'ms', avg: 1 }, ['request_latency']],
  ]);
});

it('no tag is both a distribution and a single value', () => {
  expect([...RECORD_TAGS].filter(tag => SINGLE_TAGS.has(tag))).toEqual([]);
});
