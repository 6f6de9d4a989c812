import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fromPath, readServerMetrics, toReadResult } from '../../src/read.ts';

const text = readFileSync(join(import.meta.dirname, '../files/valid/server-metrics.json'), 'utf8');

it('returns the document of a valid file', async () => {
  expect(await toReadResult(readServerMetrics(text))).toMatchObject({
    ok: true,
    document: { schema_version: '1.0' },
  });
});

it.each([
  ['an invalid file', '{"schema_version": "1.0"}', 'document-unknown'],
  ['a missing file', fromPath('/no/such/file'), 'file-unreadable'],
])('returns the issues of %s', async (_, input, rule) => {
  expect(await toReadResult(readServerMetrics(input))).toMatchObject({ ok: false, issues: [{ rule }] });
});

it('rejects for other errors', async () => {
  await expect(toReadResult(Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});
