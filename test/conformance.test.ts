import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CasesError, casesIn } from '../benchmarks/src/conformance/cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): unknown {
  const path = join(folder, 'cases.jsonl');
  writeFileSync(path, text);
  return casesIn(path);
}

const CASE = { id: 'one', text: 'a 1\n', should_parse: true };

test('reads one case per line and skips empty lines', () => {
  expect(read(`\n${JSON.stringify(CASE)}\r\n\n`)).toEqual([CASE]);
});

test.each([
  ['x', /cases\.jsonl:1 is no JSON: .*; expected an object with the texts id and text/],
  [`${JSON.stringify(CASE)}\nnull\n`, /cases\.jsonl:2 is no case; expected/],
  ['{"id":"one","text":"a 1"}', /cases\.jsonl:1 is no case; expected/],
])('names the line of the invalid case %j', (text, message) => {
  expect(() => read(text)).toThrow(CasesError);
  expect(() => read(text)).toThrow(message);
});

test('names a missing file', () => {
  expect(() => casesIn(join(folder, 'none'))).toThrow(/^cannot read the cases: ENOENT.*none/);
});
