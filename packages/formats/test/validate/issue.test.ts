import { expect, it } from 'vitest';
import { FormatError, type Issue } from '../../src/validate/issue.ts';

const issue = (change: Partial<Issue>): Issue => ({
  rule: 'field-missing',
  severity: 'error',
  path: '.summary',
  message: 'is missing',
  ...change,
});

it.each([
  ['one issue', [issue({})], 'cannot read x.json: .summary is missing'],
  [
    'several issues',
    [issue({}), issue({}), issue({})],
    'cannot read x.json: .summary is missing (and 2 more)',
  ],
  [
    'an issue of the whole document',
    [issue({ path: '.', message: 'is an array' })],
    'cannot read x.json: the input is an array',
  ],
  [
    'a syntax error, whose message states its place',
    [issue({ rule: 'json-syntax', path: 'line 3', message: 'unexpected "x" (line 3, column 5)' })],
    'cannot read x.json: unexpected "x" (line 3, column 5)',
  ],
  [
    'an encoding error in a line',
    [issue({ rule: 'text-encoding', path: 'line 3', message: 'byte 9 is not valid UTF-8' })],
    'cannot read x.json: line 3: byte 9 is not valid UTF-8',
  ],
  ['no issue', [], 'cannot read x.json'],
])('FormatError with %s', (_, issues, message) => {
  const error = new FormatError('x.json', issues);
  expect(error).toMatchObject({ name: 'FormatError', message, issues });
});
