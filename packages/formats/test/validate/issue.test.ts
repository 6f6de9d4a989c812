import { expect, it } from 'vitest';
import { FormatError, type Issue } from '../../src/validate/issue.ts';

const createIssue = (change: Partial<Issue>): Issue => ({
  rule: 'field-missing',
  severity: 'error',
  path: ['summary'],
  place: '.summary',
  message: 'is missing',
  ...change,
});

it.each([
  ['one issue', [createIssue({})], 'cannot read x.json: .summary is missing'],
  [
    'several issues',
    [createIssue({}), createIssue({}), createIssue({})],
    'cannot read x.json: .summary is missing (and 2 more)',
  ],
  [
    'an issue of the whole document',
    [createIssue({ place: '.', message: 'is an array' })],
    'cannot read x.json: the input is an array',
  ],
  [
    'a syntax error, whose message states the position',
    [createIssue({ rule: 'json-syntax', place: 'line 3', message: 'unexpected "x" (line 3, column 5)' })],
    'cannot read x.json: unexpected "x" (line 3, column 5)',
  ],
  [
    'an encoding error in a line',
    [createIssue({ rule: 'text-encoding', place: 'line 3', message: 'byte 9 is not valid UTF-8' })],
    'cannot read x.json: line 3: byte 9 is not valid UTF-8',
  ],
  ['no issue', [], 'cannot read x.json'],
])('FormatError formats its message for %s', (_, issues, message) => {
  const error = new FormatError('x.json', issues);
  expect(error).toMatchObject({ name: 'FormatError', message, issues });
});
