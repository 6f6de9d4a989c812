import { expect, it } from 'vitest';
import { checkTimeslices } from '../../src/rules/timeslices.ts';
import { collectFindings } from '../support/report.ts';

const START = 1_772_000_000_000_000_000n;
const second = (index: number) => START + BigInt(index) * 1_000_000_000n;
const slice = (index: number, values: object = {}) => ({
  start_ns: second(index),
  end_ns: second(index + 1),
  ...values,
});
const period = { startNs: second(0), endNs: second(3) };
const counts = [
  slice(0, { total: 5, rate: 5 }),
  slice(1, { total: 0, rate: 0 }),
  slice(2, { total: 3, rate: 3 }),
];

it.each([
  ['no slices', 'counter', { stats: { total: 8 } }],
  ['slices that add up', 'counter', { stats: { total: 8 }, timeslices: counts }],
  [
    'fewer slices, which do not cover the period',
    'counter',
    { stats: { total: 8 }, timeslices: counts.slice(2) },
  ],
  [
    'a partial last slice',
    'gauge',
    {
      timeslices: [
        slice(0, { avg: 1, min: 0, max: 2 }),
        slice(1, { is_complete: false, avg: 1, min: 1, max: 1 }),
      ],
    },
  ],
  [
    'a reset, after which the total is not the sum',
    'counter',
    { stats: { total: 1, resets: 1 }, timeslices: counts },
  ],
  [
    'a negative sum of a missing slice',
    'histogram',
    { stats: { count: 2, sum: 1 }, timeslices: [slice(2, { count: 2, sum: 4, avg: 2 })] },
  ],
])('accepts %s', (_, type, series) => {
  expect(collectFindings(report => checkTimeslices(report, [], type, series, period))).toEqual([]);
});

it.each([
  [
    'slices that overlap',
    'gauge',
    { timeslices: [slice(0), { ...slice(1), start_ns: second(1) - 1n }] },
    ['slices-order .timeslices[1].start_ns'],
  ],
  [
    'a slice without duration',
    'gauge',
    { timeslices: [{ start_ns: second(1), end_ns: second(1) }] },
    ['slices-order .timeslices[0].end_ns'],
  ],
  [
    'a partial slice before the last one',
    'gauge',
    { timeslices: [slice(0, { is_complete: false }), slice(1)] },
    ['slices-partial .timeslices[0].is_complete'],
  ],
  [
    'a mark of a complete slice',
    'gauge',
    { timeslices: [slice(0, { is_complete: true })] },
    ['slices-partial .timeslices[0].is_complete'],
  ],
  [
    'slices long before and after the period',
    'gauge',
    { timeslices: [slice(-2), slice(4)] },
    ['slices-period .timeslices[0].start_ns', 'slices-period .timeslices[1].end_ns'],
  ],
  [
    'an inconsistent rate',
    'counter',
    { timeslices: [slice(0, { total: 5, rate: 4 })] },
    ['slice-rate .timeslices[0].rate'],
  ],
  [
    'a mean outside its slice',
    'gauge',
    { timeslices: [slice(0, { avg: 5, min: 1, max: 2 })] },
    ['gauge-average .timeslices[0].avg'],
  ],
  [
    'min above max',
    'gauge',
    { timeslices: [slice(0, { min: 3, max: 2 })] },
    ['gauge-order .timeslices[0].max'],
  ],
  [
    'slices that add up to more',
    'counter',
    { stats: { total: 7 }, timeslices: counts },
    ['slices-sum .timeslices'],
  ],
  [
    'slices of the whole period that add up to less',
    'counter',
    { stats: { total: 9 }, timeslices: counts },
    ['slices-sum .timeslices'],
  ],
  [
    'buckets of a slice that are inconsistent with its count',
    'histogram',
    { timeslices: [slice(0, { count: 2, sum: 2, avg: 1, buckets: { '+Inf': 3 } })] },
    ['buckets-count .timeslices[0].buckets["+Inf"]'],
  ],
])('reports %s', (_, type, series, expected) => {
  const findings = collectFindings(report => checkTimeslices(report, [], type, series, period));
  expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
});
