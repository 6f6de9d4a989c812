import { expect, it } from 'vitest';
import { type CsvProblem, parseCsvRows } from '../../src/csv/rows.ts';

function parse(text: string, firstLine = 1) {
  const problems: CsvProblem[] = [];
  return { rows: parseCsvRows(text, firstLine, problems), problems };
}

it('returns the cells of each row, its number, and the line where it ends', () => {
  expect(parse('a,b\n"c\nd",e\n\nf\n')).toEqual({
    rows: [
      { line: 1, row: 1, cells: ['a', 'b'] },
      { line: 3, row: 2, cells: ['c\nd', 'e'] },
      { line: 4, row: 3, cells: [''] },
      { line: 5, row: 4, cells: ['f'] },
    ],
    problems: [],
  });
});

it('numbers rows from the given first line', () => {
  expect(parse('a\nb\n', 10).rows.map(({ line }) => line)).toEqual([10, 11]);
});

it('reports a syntax error with its line, and returns no rows', () => {
  const { rows, problems } = parse('a\n"b', 5);
  expect(rows).toEqual([]);
  expect(problems).toMatchObject([
    {
      rule: 'csv-syntax',
      position: { line: 6 },
      message: expect.stringMatching(/^is not CSV: Quote Not Closed/),
    },
  ]);
});

it('restores the limit of stack traces', () => {
  const before = Error.stackTraceLimit;
  parse('a,b\nc\n"');
  expect(Error.stackTraceLimit).toBe(before);
});
