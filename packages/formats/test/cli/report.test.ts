import { describe, expect, it } from 'vitest';
import { escapeControls, formatCounts, formatDocument, pluralize } from '../../src/cli/report.ts';
import type { Issue, Validation } from '../../src/index.ts';

const createIssue = (severity: Issue['severity']): Issue => ({
  rule: 'field-type',
  severity,
  path: [],
  place: '.',
  message: '',
});
const createValidation = (change: Partial<Validation>): Validation => ({
  ...{ document: 'server-metrics', version: '1.0', valid: true, issues: [], moreIssues: 0 },
  ...change,
});

describe('formatDocument', () => {
  it.each([
    [{}, 'server-metrics 1.0'],
    [{ version: null }, 'server-metrics'],
    [{ document: 'unknown', version: null }, 'unknown document'],
  ] as const)('describes %j as %j', (change, text) => {
    expect(formatDocument(createValidation(change))).toBe(text);
  });
});

describe('formatCounts', () => {
  it.each([
    [[], 0, ''],
    [['error'], 0, '1 error'],
    [['error', 'error', 'warning'], 0, '2 errors, 1 warning'],
    [['error'], 1234, '1 error, 1,234 more'],
  ] as const)('formats %j and %i unlisted findings', (severities, moreIssues, text) => {
    expect(formatCounts(createValidation({ issues: severities.map(createIssue), moreIssues }))).toBe(text);
  });
});

it.each([
  [0, ''],
  [1, '1 file'],
  [2000, '2,000 files'],
])('pluralize(%i) returns %j', (count, text) => {
  expect(pluralize(count, 'file')).toBe(text);
});

it.each([
  ['plain text', 'plain text'],
  ['\u001b[31m', '\\x1b[31m'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['two\nlines', 'two\\x0alines'],
])('escapeControls(%j) returns %j', (text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
});
