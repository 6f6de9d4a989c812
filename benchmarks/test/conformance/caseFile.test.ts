import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CaseFileError, readCaseFile } from '../../src/conformance/caseFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

function readCases(text: string): unknown {
  const path = join(folder, 'cases.jsonl');
  writeFileSync(path, text);
  return readCaseFile(path);
}

const CASE = { id: 'one', text: 'a 1\n', should_parse: true };

test('reads one case per line and skips empty lines', () => {
  expect(readCases(`\n${JSON.stringify(CASE)}\r\n\n`)).toEqual([CASE]);
});

test.each([
  ['x', /cases\.jsonl:1 is not valid JSON: .*; expected an object with the strings id and text/],
  [`${JSON.stringify(CASE)}\nnull\n`, /cases\.jsonl:2 is not a case; expected/],
  ['{"id":"one","text":"a 1"}', /cases\.jsonl:1 is not a case; expected/],
])('rejects the file %j with the number of the invalid line', (text, message) => {
  expect(() => readCases(text)).toThrow(CaseFileError);
  expect(() => readCases(text)).toThrow(message);
});

test('reports the path of a missing file', () => {
  expect(() => readCaseFile(join(folder, 'none'))).toThrow(/^cannot read the case file: ENOENT.*none/);
});
