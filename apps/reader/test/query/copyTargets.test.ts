import { expect, test } from 'vitest';
import { findWrittenPaths } from '../../src/query/copyTargets.ts';

test.each<[string, (string | undefined)[]]>([
  ["COPY (SELECT 1) TO 'a.csv'", ['a.csv']],
  ["copy t to 'it''s.csv' (FORMAT csv)", ["it's.csv"]],
  ["COPY (SELECT 'x' TO_, (SELECT 2)) TO 'a.csv'; COPY t TO 'b.csv'", ['a.csv', 'b.csv']],
  ["COPY t -- TO 'comment.csv'\n TO /* TO 'b' */ 'a.csv'", ['a.csv']],
  ['COPY t TO "quoted ""name"""', ['quoted "name"']],
  ['COPY t TO name', ['name']],
  ['COPY t TO $tag$it is$tag$', ['it is']],
  ["PREPARE p AS COPY t TO 'a.csv'", ['a.csv']],
  ["EXPORT DATABASE 'folder'", ['folder']],
  ["EXPORT DATABASE memory TO 'folder'", ['folder']],
  ["COPY t TO getvariable('x')", [undefined]],
  ['COPY t TO (getvariable(1))', [undefined]],
  ['PREPARE p AS COPY t TO $1', [undefined]],
  ["COPY t TO E'\\x61.csv'", [undefined]],
  ['COPY t TO STDOUT', []],
  ["COPY t FROM 'a.csv'", []],
  ['SELECT 1 AS copy; SELECT 2 AS "to"', []],
  ["SELECT 'COPY t TO ''a''' AS text", []],
])('finds the written paths of %s', (sql, paths) => {
  expect(findWrittenPaths(sql)).toEqual(paths);
});
