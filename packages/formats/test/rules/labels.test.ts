import { expect, it } from 'vitest';
import { checkLabels, checkSampleLabels } from '../../src/rules/labels.ts';
import { collectFindings } from '../support/report.ts';

const series = (endpoint_url: string, labels?: object | null) => ({ endpoint_url, labels });

it.each([
  ['different labels', [series('a', { x: '1' }), series('a', { x: '2' })], []],
  ['the same labels at different endpoints', [series('a', { x: '1' }), series('b', { x: '1' })], []],
  [
    'a label value that contains another label',
    [series('a', { x: '1', y: '2' }), series('a', { x: '1,y=2' })],
    [],
  ],
  [
    'the same labels in another order',
    [series('a', { x: '1', y: '2' }), series('b'), series('a', { y: '2', x: '1' })],
    [
      'labels-repeated .m.series[2]: has the same endpoint and labels as series[0]; a label set of an endpoint must occur once',
    ],
  ],
  [
    'null and absent labels',
    [series('a', null), series('a')],
    [
      'labels-repeated .m.series[1]: has the same endpoint and labels as series[0]; a label set of an endpoint must occur once',
    ],
  ],
])('checkLabels: %s', (_, list, expected) => {
  expect(collectFindings(report => checkLabels(report, ['m'], { series: list }))).toEqual(expected);
});

it('checkSampleLabels ignores the endpoint, because a line has only one', () => {
  const samples = [{ value: 1 }, { value: 2, labels: { x: '1' } }, { value: 3, labels: {} }];
  expect(collectFindings(report => checkSampleLabels(report, ['metrics', 'm'], samples))).toEqual([
    'labels-repeated .metrics.m[2]: has the same labels as [0]; a label set must occur once',
  ]);
});
