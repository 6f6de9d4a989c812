import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal, type ProfileHeader, type RunHeader } from '@org/record/journal';
import { expect, test } from 'vitest';
import { findRequestsFile, renameEarlierRequests } from '../../src/profile/earlierRequests.ts';
import { createFolder } from '../plans.ts';

const COLLECT: RunHeader = {
  benchmarkId: 'b',
  version: '1.0.0',
  startNs: 1n,
  inputConfig: {},
  exports: { formats: ['json'], percentileMethod: 'moments' },
};
const PROFILE: ProfileHeader = {
  startNs: 1n,
  inputConfig: {},
  runInfo: { benchmark_id: 'b', trial: 0 },
  streaming: true,
  tokenizer: 'server',
  hasServers: true,
};

const HEADER: RunHeader = { ...COLLECT, profile: PROFILE };

/** Writes the journal and the requests of a killed run. Returns the path of the journal. */
async function writeKilledRun(folder: string, header: RunHeader = HEADER): Promise<string> {
  const journal = openJournal(folder, header, {});
  await journal.close();
  writeFileSync(join(folder, 'profile_export.jsonl'), 'line\n');
  return journal.path;
}

test('renames the requests file of a killed run to match its journal', async () => {
  const folder = createFolder();
  const journal = await writeKilledRun(folder);
  const requests = join(folder, 'server_metrics.requests.jsonl');
  expect(renameEarlierRequests({ folder })).toEqual({ journal, requests });
  expect(readFileSync(requests, 'utf8')).toBe('line\n');
  expect(existsSync(join(folder, 'profile_export.jsonl'))).toBe(false);
  expect(renameEarlierRequests({ folder })).toBeUndefined();
});

test.each<[string, RunHeader]>([
  ['a collect run', COLLECT],
  ['a run with another prefix', { ...HEADER, exports: { ...HEADER.exports, prefix: 'p' } }],
])('does not rename requests if the journal is from %s', async (_, header) => {
  const folder = createFolder();
  await writeKilledRun(folder, header);
  expect(renameEarlierRequests({ folder })).toBeUndefined();
});

test('ignores files that are not journals', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'profile_export.jsonl'), 'line\n');
  writeFileSync(join(folder, 'other.journal'), 'text');
  expect(renameEarlierRequests({ folder })).toBeUndefined();
});

test('finds the requests of a journal before and after they are renamed', async () => {
  const folder = createFolder();
  const journal = await writeKilledRun(folder);
  expect(findRequestsFile(journal, undefined)).toBe(join(folder, 'profile_export.jsonl'));
  renameEarlierRequests({ folder });
  expect(findRequestsFile(journal, undefined)).toBe(join(folder, 'server_metrics.requests.jsonl'));
});

test('rejects a journal whose exports would overwrite the exports of a later run', async () => {
  const folder = createFolder();
  const journal = await writeKilledRun(folder);
  renameEarlierRequests({ folder });
  writeFileSync(join(folder, 'profile_export.jsonl'), 'later\n');
  expect(() => findRequestsFile(journal, undefined)).toThrow('contains the exports of a later run');
});
