import { expect, test } from 'vitest';
import { findStatementPaths } from '../../src/query/writtenPaths.ts';

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
  ["COPY t /* a /* b */ TO 'comment.csv' */ TO 'a.csv'", ['a.csv']],
  ["COPY t TO 'a'\n'.csv'", [undefined]],
  ["COPY t TO ('a' || '.csv')", [undefined]],
  ["COPY t TO 'folder' (PER_THREAD_OUTPUT, FILENAME_PATTERN 'part-{i}', FILE_EXTENSION 'csv')", ['folder']],
  ["COPY t TO 'folder' (PARTITION_BY (b), FILENAME_PATTERN '../part-{i}')", [undefined]],
  ["COPY t TO 'folder' (PARTITION_BY (b), FILE_EXTENSION getvariable('x'))", [undefined]],
  ["SET log_query_path = 'a.log'", ['a.log']],
  ['set session "LOG_QUERY_PATH" to $$a.log$$', ['a.log']],
  ["SET profile_output = getvariable('x')", [undefined]],
  ["PRAGMA profiling_output = 'a.json'", ['a.json']],
  ["CALL enable_logging(storage = 'file', storage_path = 'a.csv')", ['a.csv']],
  ["FROM enable_logging(storage_path := 'a.csv')", ['a.csv']],
  ["CALL enable_logging(storage_config = {'path': 'a.csv'})", [undefined]],
  ["CALL enable_profiling(save_location => 'a.json')", ['a.json']],
  ["SELECT * FROM t WHERE storage_path = 1 AND file_extension = 'x/y'", []],
])('finds the written paths of %s', (sql, paths) => {
  expect(findStatementPaths(sql).written).toEqual(paths);
});

test.each<[string, (string | undefined)[]]>([
  ["IMPORT DATABASE 'folder'", ['folder']],
  ["PRAGMA import_database('folder')", ['folder']],
  ["import database 'a' 'b'", [undefined]],
  ['SELECT 1 AS import', []],
])('finds the imported folders of %s', (sql, folders) => {
  expect(findStatementPaths(sql).imported).toEqual(folders);
});

test.each([
  ["SET home_directory = '/tmp'", true],
  ['SET "HOME_DIRECTORY" = \'/tmp\'', true],
  ["SELECT 'home_directory'", false],
])('reports whether %s changes the home folder', (sql, changesHome) => {
  expect(findStatementPaths(sql).changesHome).toBe(changesHome);
});
