import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openJournal } from '../../src/journal/journalFile.ts';
import type { RunHeader } from '../../src/journal/runHeader.ts';

const root = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const header: RunHeader = {
  benchmarkId: 'b',
  version: '0',
  startNs: 1n,
  inputConfig: {},
  exports: { formats: ['json'], percentileMethod: 'moments', prefix: 'p' },
};

test('numbers the journals of later runs in the same folder', async () => {
  const journals = [1, 2, 3].map(() => openJournal(root, header, {}));
  await Promise.all(journals.map(journal => journal.close()));
  expect(readdirSync(root).sort()).toEqual([
    'p_server_metrics-2.journal',
    'p_server_metrics-3.journal',
    'p_server_metrics.journal',
  ]);
});
