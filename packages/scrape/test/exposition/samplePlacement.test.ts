import { Layout } from '@org/core';
import { expect, test } from 'vitest';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import { placeSamples } from '../../src/exposition/samplePlacement.ts';
import { mapFrame } from './support/frames.ts';

/** Places the samples of a body and returns the value of each slot by series. */
function placeBody(text: string): Record<string, number> {
  const layout = new Layout();
  const { samples, slots } = placeSamples(layout, parseClassic(Buffer.from(text)));
  const values = new Float64Array(layout.slotCount).fill(Number.NaN);
  samples.forEach((sample, index) => {
    const slot = slots[index]!;
    if (slot !== -1) values[slot] = sample.value;
  });
  return mapFrame(layout, values);
}

test.each<[string, string, Record<string, number>]>([
  ['removes _total from the name of a counter', '# TYPE a_total counter\na_total 1\n', { 'counter a[]': 1 }],
  [
    'keeps the name of a counter without _total',
    '# TYPE nv_count counter\nnv_count 3\n',
    { 'counter nv_count[]': 3 },
  ],
  ['treats a sample without TYPE as unknown', 'a 1\n', { 'unknown a[]': 1 }],
  ['drops _created and _uptime', 'a_created 1\nb_uptime 2\nc_uptime_seconds 3\nd 4\n', { 'unknown d[]': 4 }],
  [
    'distinguishes series by type',
    '# TYPE a_total counter\na_total 1\n# TYPE a gauge\na 2\n',
    { 'counter a[]': 1, 'gauge a[]': 2 },
  ],
  [
    'matches bounds as numbers',
    '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="1.0"} 2\nh_bucket{le="+Inf"} 3\nh_sum 4\nh_count 3\n',
    {
      'histogram h_sum[]': 4,
      'histogram h_count[]': 3,
      'histogram h<=1[]': 2,
      'histogram h<=Infinity[]': 3,
    },
  ],
  [
    'sorts labels and keeps hostile names',
    'a{b="2",__proto__="p",a="1"} 1\n',
    { 'unknown a[["__proto__","p"],["a","1"],["b","2"]]': 1 },
  ],
  [
    'skips a bucket without a bound',
    '# TYPE h histogram\nh_bucket 1\nh_bucket{le="x"} 1\nh_sum 4\nh_count 3\n',
    { 'histogram h_sum[]': 4, 'histogram h_count[]': 3 },
  ],
  [
    'places the parts of a summary',
    '# TYPE s summary\ns{quantile="0.5"} 1\ns_sum 2\ns_count 3\n',
    { 'summary s_sum[]': 2, 'summary s_count[]': 3, 'summary sq0.5[]': 1 },
  ],
])('%s', (_, text, expected) => {
  expect(placeBody(text)).toEqual(expected);
});

test('separates interleaved histograms of one family', () => {
  const text =
    '# TYPE h histogram\nh_bucket{m="a",le="+Inf"} 1\nh_bucket{m="b",le="+Inf"} 2\nh_sum{m="a"} 3\nh_sum{m="b"} 4\nh_count{m="a"} 1\nh_count{m="b"} 2\n';
  const values = placeBody(text);
  expect(values['histogram h_sum[["m","b"]]']).toBe(4);
  expect(values['histogram h<=Infinity[["m","a"]]']).toBe(1);
  expect(Object.keys(values)).toHaveLength(6);
});

test('assigns no slot to an earlier duplicate', () => {
  const { slots } = placeSamples(new Layout(), parseClassic(Buffer.from('a 1\nb 2\na 3\n')));
  expect([...slots]).toEqual([-1, 1, 0]);
});

test('keeps slots and adds new ones at the end', () => {
  const layout = new Layout();
  placeSamples(layout, parseClassic(Buffer.from('a 1\nc 2\n')));
  const { slots } = placeSamples(layout, parseClassic(Buffer.from('b 1\nc 2\na 3\n')));
  expect([...slots]).toEqual([2, 1, 0]);
});
