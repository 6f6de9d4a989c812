import { describe, expect, it } from 'vitest';
import { Findings } from '../../src/rules/findings.ts';

describe('Findings', () => {
  it('keeps the first 1,000 findings and counts the others', () => {
    const findings = new Findings();
    for (let i = 0; i < 1003; i++) findings.report('field-type', ['items', i], 'is wrong');
    expect(findings.kept).toHaveLength(1000);
    expect(findings.dropped).toBe(3);
  });

  it('keeps only the first finding for each rule and path', () => {
    const findings = new Findings();
    findings.report('field-type', ['a'], 'first');
    findings.report('field-type', ['a'], 'second');
    findings.report('field-range', ['a'], 'third');
    expect(findings.kept.map(({ message }) => message)).toEqual(['first', 'third']);
  });

  it('fails for an error, but not for a warning', () => {
    const findings = new Findings();
    findings.report('field-unknown', ['a'], 'is unknown');
    expect(findings.failed).toBe(false);
    findings.report('field-missing', ['b'], 'is missing');
    expect(findings.failed).toBe(true);
  });

  it('states the line number and the path in the place of findings in JSON lines', () => {
    const findings = new Findings();
    findings.inLine(7)('field-type', ['metrics', 'm'], 'is wrong', 5);
    findings.inLine(8)('json-syntax', [], 'is not JSON');
    expect(findings.kept).toEqual([
      {
        rule: 'field-type',
        severity: 'error',
        path: ['metrics', 'm'],
        place: 'line 7: .metrics.m',
        message: 'is wrong',
        value: 5,
        line: 7,
      },
      { rule: 'json-syntax', severity: 'error', path: [], place: 'line 8', message: 'is not JSON', line: 8 },
    ]);
  });

  it('truncates long messages and values', () => {
    const findings = new Findings();
    findings.report('field-value', ['a'], 'm'.repeat(2000), 'v'.repeat(2000));
    const { message, value } = findings.kept[0]!;
    expect(message).toBe(`${'m'.repeat(900)}…`);
    expect(value).toBe(`${'v'.repeat(200)}…`);
  });
});
