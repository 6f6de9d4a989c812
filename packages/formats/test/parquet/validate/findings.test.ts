import { expect, test } from 'vitest';
import { Findings, locateCell } from '../../../src/parquet/validate/findings.ts';

test('keeps the first ten findings of each rule and counts the others', () => {
  const findings = new Findings();
  for (let row = 0; row < 1500; row++) findings.add('parquet-null', locateCell(row, 'unit'), 'is null');
  findings.add('parquet-time', 'row 0', 'is early');
  const issues = findings.listIssues();
  expect(issues).toHaveLength(12);
  expect(issues[0]).toEqual({
    rule: 'parquet-null',
    severity: 'error',
    path: [],
    place: 'row 0 (counted from 0), column unit',
    row: 0,
    column: 'unit',
    message: 'is null',
  });
  expect(issues.at(-1)).toMatchObject({
    place: 'the file',
    message: '1,490 more findings of this rule are not listed',
  });
});

test('converts values for JSON and truncates long ones', () => {
  const findings = new Findings();
  findings.add('parquet-time', 'a', 'm', 5n);
  findings.add('parquet-time', 'b', 'm', 'x'.repeat(300));
  findings.add('parquet-time', 'c', 'm', 1.5);
  expect(findings.listIssues().map(({ value }) => value)).toEqual(['5', `${'x'.repeat(200)}…`, 1.5]);
});
