import { expect, it } from 'vitest';
import { CSV_SECTIONS, fromLabelColumn, isCsvStat, toLabelColumn } from '../../src/csv/columns.ts';

it.each([
  ['engine', 'gauge', 'engine'],
  ['avg', 'gauge', 'label:avg'],
  ['avg', 'counter', 'avg'],
  ['Endpoint', 'counter', 'label:Endpoint'],
  ['Description', 'gauge', 'label:Description'],
  ['increase', 'counter', 'label:increase'],
  ['label:x', 'gauge', 'label:label:x'],
] as const)('the label %s in the section %s has the column %s', (label, section, column) => {
  expect(toLabelColumn(label, section)).toBe(column);
});

it.each(CSV_SECTIONS)('fromLabelColumn reverses toLabelColumn in the section %s', section => {
  for (const label of ['engine', 'avg', 'total', 'buckets', 'label:x', 'label:'])
    expect(fromLabelColumn(toLabelColumn(label, section))).toBe(label);
});

it.each([
  ['p99', true],
  ['p99.9', true],
  ['adj_p99', true],
  ['count', true],
  ['sum', true],
  ['median', false],
  ['p', false],
])('isCsvStat(%j) is %s', (name, expected) => {
  expect(isCsvStat(name)).toBe(expected);
});
