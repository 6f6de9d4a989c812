import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

function writeTrace(...lines: readonly object[]): string {
  const cwd = makeTestFolder();
  writeFileSync(join(cwd, 'trace.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  return cwd;
}

const LINES = [
  { timestamp: 0, input_length: 35, output_length: 10, hash_ids: [1, 2, 3, 4] },
  { timestamp: 1, input_length: 33, output_length: 7, hash_ids: [1, 2, 5, 6] },
];

test('shows the lengths and the shared prefixes of a trace', async () => {
  const cwd = writeTrace(...LINES);
  const { code, out } = await runServelens(['analyze-trace', 'trace.jsonl', '--block-size', '10'], { cwd });
  expect(code).toBe(0);
  expect(out).toMatch(
    /^2 requests, 6 different sequences of blocks at the start of prompts\n1 first block that/,
  );
  expect(out).toMatch(/^prompt length \(tokens\) +34\.00 +1\.00 +33\.00 /m);
  expect(out).toMatch(/^ {2}shared with others +20\.00 /m);
  expect(out).toMatch(/^blocks of earlier requests +0\.25 /m);
});

test('writes the analysis as JSON, to the screen and to a file', async () => {
  const cwd = writeTrace(...LINES);
  const words = ['analyze-trace', 'trace.jsonl', '--block-size', '10', '--json', '--output-file', 'a/b.json'];
  const { code, out } = await runServelens(words, { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ total_requests: 2, avg_isl: 34, cache_hit_rate: 0.25 });
  expect(readFileSync(join(cwd, 'a/b.json'), 'utf8')).toBe(out);
});

test('blocks have the size of the format', async () => {
  const chat = { chat_id: 1, timestamp: 1, input_length: 32, output_length: 5, hash_ids: [1, 2] };
  const cwd = writeTrace(chat, { ...chat, chat_id: 2, hash_ids: [1, 3] });
  const { out } = await runServelens(['analyze-trace', 'trace.jsonl', '--json'], { cwd });
  expect(JSON.parse(out).context_length_stats.mean).toBe(16);
});

test.each([
  [[], 'trace.jsonl', 'invalid trace "trace.jsonl": the file has the format single_turn; expected a trace'],
  [
    [{ text: 'a' }],
    'trace.jsonl',
    'invalid trace "trace.jsonl": the file has the format single_turn; expected a trace',
  ],
  [
    [{ input_length: -1 }],
    'trace.jsonl',
    'invalid trace "trace.jsonl": line 1: input_length is -1; expected a number of at least 0',
  ],
  [[], 'missing.jsonl', 'invalid trace "missing.jsonl": no such file or folder'],
])('rejects %j in %s', async (lines, name, message) => {
  const { code, err } = await runServelens(['analyze-trace', name], { cwd: writeTrace(...lines) });
  expect([code, err]).toEqual([2, `servelens: ${message}\n`]);
});
