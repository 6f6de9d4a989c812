import { expect, it } from 'vitest';
import { checkTimeslices } from '../../src/rules/timeslices.ts';
import { collectFindings } from '../support/report.ts';

const START = 1_772_000_000_000_000_000n;
const getSecondNs = (index: number) => START + BigInt(index) * 1_000_000_000n;
const createSlice = (index: number, values: object = {}) => ({
  start_ns: getSecondNs(index),
  end_ns: getSecondNs(index + 1),
  ...values,
});
const period = { startNs: getSecondNs(0), endNs: getSecondNs(3) };
const countSlices = [
  createSlice(0, { total: 5, rate: 5 }),
  createSlice(1, { total: 0, rate: 0 }),
  createSlice(2, { total: 3, rate: 3 }),
];

it.each([
  ['a series without slices', 'counter', { stats: { total: 8 } }],
  ['slices that add up', 'counter', { stats: { total: 8 }, timeslices: countSlices }],
  [
    'slices of a counter that behaves like a gauge',
    'counter',
    { stats: { total: 0, decreases: 5 }, timeslices: countSlices },
  ],
  [
    'slices that do not cover the period',
    'counter',
    { stats: { total: 8 }, timeslices: countSlices.slice(2) },
  ],
  [
    'a partial last slice',
    'gauge',
    {
      timeslices: [
        createSlice(0, { avg: 1, min: 0, max: 2 }),
        createSlice(1, { is_complete: false, avg: 1, min: 1, max: 1 }),
      ],
    },
  ],
  [
    'a reset, after which the total differs from the sum of the slices',
    'counter',
    { stats: { total: 1, resets: 1 }, timeslices: countSlices },
  ],
  [
    'a sum that is lower than in the only slice, because a missing slice can have a negative sum',
    'histogram',
    { stats: { count: 2, sum: 1 }, timeslices: [createSlice(2, { count: 2, sum: 4, avg: 2 })] },
  ],
])('accepts %s', (_, type, series) => {
  expect(collectFindings(report => checkTimeslices(report, [], type, series, period))).toEqual([]);
});

it.each([
  [
    'slices that overlap',
    'gauge',
    { timeslices: [createSlice(0), { ...createSlice(1), start_ns: getSecondNs(1) - 1n }] },
    ['slices-order .timeslices[1].start_ns'],
  ],
  [
    'a slice without duration',
    'gauge',
    { timeslices: [{ start_ns: getSecondNs(1), end_ns: getSecondNs(1) }] },
    ['slices-order .timeslices[0].end_ns'],
  ],
  [
    'a partial slice before the last one',
    'gauge',
    { timeslices: [createSlice(0, { is_complete: false }), createSlice(1)] },
    ['slices-partial .timeslices[0].is_complete'],
  ],
  [
    'is_complete in a complete slice',
    'gauge',
    { timeslices: [createSlice(0, { is_complete: true })] },
    ['slices-partial .timeslices[0].is_complete'],
  ],
  [
    'slices outside the period',
    'gauge',
    { timeslices: [createSlice(-2), createSlice(4)] },
    ['slices-period .timeslices[0].start_ns', 'slices-period .timeslices[1].end_ns'],
  ],
  [
    'an inconsistent rate',
    'counter',
    { timeslices: [createSlice(0, { total: 5, rate: 4 })] },
    ['slice-rate .timeslices[0].rate'],
  ],
  [
    'a mean outside the range of its slice',
    'gauge',
    { timeslices: [createSlice(0, { avg: 5, min: 1, max: 2 })] },
    ['gauge-average .timeslices[0].avg'],
  ],
  [
    'a minimum above the maximum',
    'gauge',
    { timeslices: [createSlice(0, { min: 3, max: 2 })] },
    ['gauge-order .timeslices[0].max'],
  ],
  [
    'slices that add up to more than the total',
    'counter',
    { stats: { total: 7 }, timeslices: countSlices },
    ['slices-sum .timeslices'],
  ],
  [
    'slices of the whole period that add up to less than the total',
    'counter',
    { stats: { total: 9 }, timeslices: countSlices },
    ['slices-sum .timeslices'],
  ],
  [
    'buckets of a slice that are inconsistent with its count',
    'histogram',
    { timeslices: [createSlice(0, { count: 2, sum: 2, avg: 1, buckets: { '+Inf': 3 } })] },
    ['buckets-count .timeslices[0].buckets["+Inf"]'],
  ],
])('reports %s', (_, type, series, expected) => {
  const findings = collectFindings(report => checkTimeslices(report, [], type, series, period));
  expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
});
