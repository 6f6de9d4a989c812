import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '@org/record/journal';
import { expect, test } from 'vitest';
import { makeDefaultFolder } from '../../src/lifecycle/defaultFolder.ts';
import { getCurrentOwner } from '../../src/lifecycle/runOwner.ts';
import { createFolder } from '../plans.ts';

const HEADER = {
  benchmarkId: 'b',
  version: '1',
  startNs: 1n,
  inputConfig: {},
  exports: { formats: ['json'], percentileMethod: 'moments' },
} as const;

test('moves the files of earlier runs to the folders .1, .2, and so on', async () => {
  const folder = join(createFolder(), 'artifacts/m-chat');
  expect(await makeDefaultFolder(folder)).toEqual({ folder });
  for (const n of [1, 2]) {
    writeFileSync(join(folder, 'server_metrics_export.json'), `run ${n}`);
    expect(await makeDefaultFolder(folder)).toEqual({ folder, movedTo: `${folder}.${n}` });
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(`${folder}.${n}`)).toEqual(['server_metrics_export.json']);
  }
});

test('reports that an earlier run needs to be recovered', async () => {
  const folder = join(createFolder(), 'killed');
  mkdirSync(folder);
  const journal = openJournal(folder, { ...HEADER, owner: { ...getCurrentOwner(), born: '1' } }, {});
  await journal.close();
  expect(await makeDefaultFolder(folder)).toEqual({ folder, movedTo: `${folder}.1`, needsRecovery: true });
});

test('uses another folder while a run is active in the folder', async () => {
  const folder = join(createFolder(), 'active');
  mkdirSync(folder);
  const journal = openJournal(folder, { ...HEADER, owner: getCurrentOwner() }, {});
  expect(await makeDefaultFolder(folder)).toEqual({ folder: `${folder}-2` });
  await journal.remove();
});

test('creates different folders for concurrent calls', async () => {
  const folder = join(createFolder(), 'runs/collect-1');
  const created = await Promise.all(Array.from({ length: 5 }, () => makeDefaultFolder(folder)));
  expect(created.map(({ folder: path }) => path).sort()).toEqual([
    folder,
    ...[2, 3, 4, 5].map(n => `${folder}-${n}`),
  ]);
  for (const { folder: path } of created) expect(existsSync(path)).toBe(true);
});

test('does not use a file, and throws if no folder can be created', async () => {
  const folder = join(createFolder(), 'file');
  writeFileSync(folder, '');
  expect(await makeDefaultFolder(folder)).toEqual({ folder: `${folder}-2` });
  await expect(makeDefaultFolder('/dev/null/x/y')).rejects.toThrow('cannot use the artifact folder');
});
