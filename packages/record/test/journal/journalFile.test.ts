import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findJournal, openJournal } from '../../src/journal/journalFile.ts';
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

test('numbers the journals of further runs in the same folder', async () => {
  const journals = [1, 2, 3].map(() => openJournal(root, header, {}));
  await Promise.all(journals.map(journal => journal.close()));
  expect(readdirSync(root).sort()).toEqual([
    'p_server_metrics-2.journal',
    'p_server_metrics-3.journal',
    'p_server_metrics.journal',
  ]);
});

describe('findJournal', () => {
  test('returns a journal that is given by path, and the only journal of a folder', async () => {
    const folder = mkdtempSync(join(root, 'one-'));
    const path = join(folder, 'server_metrics.journal');
    writeFileSync(path, '');
    expect(await findJournal(path)).toBe(path);
    expect(await findJournal(folder)).toBe(path);
  });

  test.skipIf(process.platform === 'win32')(
    'skips named pipes, devices, folders and broken links',
    async () => {
      const folder = mkdtempSync(join(root, 'special-'));
      execFileSync('mkfifo', [join(folder, 'a.journal')]);
      symlinkSync('/dev/zero', join(folder, 'b.journal'));
      mkdirSync(join(folder, 'c.journal'));
      symlinkSync('missing', join(folder, 'd.journal'));
      await expect(findJournal(folder)).rejects.toThrow(
        'skipped a.journal, b.journal, c.journal, d.journal: not a regular file',
      );
      writeFileSync(join(folder, 'target'), '');
      symlinkSync('target', join(folder, 'e.journal'));
      expect(await findJournal(folder)).toBe(join(folder, 'e.journal'));
    },
  );

  test('rejects an empty folder, several journals, an unreadable folder and a file that is not a journal', async () => {
    const folder = mkdtempSync(join(root, 'several-'));
    await expect(findJournal(folder)).rejects.toThrow('no journal in');
    for (const name of ['a.journal', 'b.journal']) writeFileSync(join(folder, name), '');
    await expect(findJournal(folder)).rejects.toThrow('specify one of them: a.journal, b.journal');
    await expect(findJournal(join(folder, 'missing'))).rejects.toThrow('cannot read folder');
    writeFileSync(join(folder, 'run.json'), '{}');
    await expect(findJournal(join(folder, 'run.json'))).rejects.toThrow(
      /run\.json" is not a journal; expected a folder, or a file \*\.journal$/,
    );
  });
});
