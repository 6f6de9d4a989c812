import { expect, test } from 'vitest';
import { formatProblems, UserFileError } from '../../src/userFile/fileProblem.ts';

const problems = [
  { line: 3, column: 1, message: 'c' },
  { line: 1, column: 9, message: 'b' },
  { line: 1, column: 2, message: 'a' },
];

test('formats problems as path:line:column: message', () => {
  expect(formatProblems('c.yaml', problems)).toEqual(['c.yaml:3:1: c', 'c.yaml:1:9: b', 'c.yaml:1:2: a']);
});

test('sorts the problems of an error by position', () => {
  const error = new UserFileError('c.yaml', problems);
  expect(error.problems.map(({ message }) => message)).toEqual(['a', 'b', 'c']);
  expect(error.message).toBe('c.yaml:1:2: a\nc.yaml:1:9: b\nc.yaml:3:1: c');
});
