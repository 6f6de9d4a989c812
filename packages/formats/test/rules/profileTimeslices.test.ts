import { expect, it } from 'vitest';
import { checkProfileTimeslices } from '../../src/rules/profileTimeslices.ts';
import { collectFindings } from '../support/report.ts';

const START = 1_772_000_000_000_000_000n;
const createSlice = (index: number, change: object = {}) => ({
  timeslice_index: index,
  start_ns: START + BigInt(index) * 5_000_000_000n,
  end_ns: START + BigInt(index + 1) * 5_000_000_000n,
  ...change,
});

it.each([
  ['accepts slices in order', [createSlice(0), createSlice(1)], []],
  ['accepts a gap without requests', [createSlice(0), createSlice(3)], []],
  [
    'accepts a shorter last slice',
    [createSlice(0), createSlice(1, { end_ns: createSlice(1).end_ns - 1n, is_complete: false })],
    [],
  ],
  ['accepts slices without indexes and times', [{}, {}], []],
  [
    'reports a repeated index',
    [createSlice(1), createSlice(2, { timeslice_index: 1 })],
    ['slices-order .timeslices[1].timeslice_index', 'slices-aligned .timeslices[1].start_ns'],
  ],
  [
    'reports a slice that ends before it starts',
    [createSlice(0, { end_ns: START - 1n })],
    ['slices-order .timeslices[0].end_ns'],
  ],
  [
    'reports an overlap',
    [createSlice(0), createSlice(1, { start_ns: createSlice(1).start_ns - 1n })],
    [
      'slices-order .timeslices[1].start_ns',
      'slices-aligned .timeslices[1].start_ns',
      'slices-aligned .timeslices[1].end_ns',
    ],
  ],
  [
    'reports a start that is not a multiple of the duration',
    [
      createSlice(0),
      createSlice(1, { start_ns: createSlice(1).start_ns + 1n, end_ns: createSlice(1).end_ns + 1n }),
    ],
    ['slices-aligned .timeslices[1].start_ns'],
  ],
  [
    'reports a partial slice before the last one',
    [createSlice(0, { is_complete: false }), createSlice(1)],
    ['slices-partial .timeslices[0].is_complete'],
  ],
  [
    'reports inconsistent metrics',
    [createSlice(0, { request_latency: { unit: 'ms', avg: 9, min: 1, max: 2 } })],
    ['gauge-average .timeslices[0].request_latency.avg'],
  ],
])('%s', (_, timeslices, expected) => {
  const findings = collectFindings(report => checkProfileTimeslices(report, { timeslices }));
  expect(findings.map(finding => finding.slice(0, finding.indexOf(':')))).toEqual(expected);
});
