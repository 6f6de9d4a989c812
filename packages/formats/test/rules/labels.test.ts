import { expect, it } from 'vitest';
import { checkLabels, checkSampleLabels } from '../../src/rules/labels.ts';
import { collectFindings } from '../support/report.ts';

const createSeries = (endpoint_url: string, labels?: object | null) => ({ endpoint_url, labels });

it.each([
  ['different labels', [createSeries('a', { x: '1' }), createSeries('a', { x: '2' })], []],
  [
    'the same labels on different endpoints',
    [createSeries('a', { x: '1' }), createSeries('b', { x: '1' })],
    [],
  ],
  [
    'a label value that contains another label',
    [createSeries('a', { x: '1', y: '2' }), createSeries('a', { x: '1,y=2' })],
    [],
  ],
  [
    'the same labels in another order',
    [createSeries('a', { x: '1', y: '2' }), createSeries('b'), createSeries('a', { y: '2', x: '1' })],
    [
      'labels-repeated .m.series[2]: has the same endpoint and labels as series[0]; a label set of an endpoint must occur once',
    ],
  ],
  [
    'null and absent labels',
    [createSeries('a', null), createSeries('a')],
    [
      'labels-repeated .m.series[1]: has the same endpoint and labels as series[0]; a label set of an endpoint must occur once',
    ],
  ],
])('checkLabels checks %s', (_, list, expected) => {
  expect(collectFindings(report => checkLabels(report, ['m'], { series: list }))).toEqual(expected);
});

it('checkSampleLabels ignores the endpoint, because a line has only one', () => {
  const samples = [{ value: 1 }, { value: 2, labels: { x: '1' } }, { value: 3, labels: {} }];
  expect(collectFindings(report => checkSampleLabels(report, ['metrics', 'm'], samples))).toEqual([
    'labels-repeated .metrics.m[2]: has the same labels as [0]; a label set must occur once',
  ]);
});
