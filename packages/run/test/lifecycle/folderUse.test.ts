import { spawn } from 'node:child_process';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal, type RunHeader } from '@org/record/journal';
import { describe, expect, test } from 'vitest';
import { checkConcurrentStart, checkFolder, listJournaledRuns } from '../../src/lifecycle/folderUse.ts';
import { getCurrentOwner } from '../../src/lifecycle/runOwner.ts';
import { createFolder } from '../plans.ts';

const HEADER: RunHeader = {
  benchmarkId: 'mine',
  version: '1',
  startNs: BigInt(Date.now()) * 1_000_000n,
  inputConfig: {},
  exports: { formats: ['json'], percentileMethod: 'moments' },
};
const KINDS = { prefix: undefined, writesServerMetrics: true, writesClientMetrics: false };
const DEAD = { ...getCurrentOwner(), born: '1' };

/** Creates a folder with the journal of a run that was killed, or of a run that has ended. */
async function createJournal(header: Partial<RunHeader>, hasEnded = false): Promise<string> {
  const folder = createFolder();
  const journal = openJournal(folder, { ...HEADER, ...header }, {});
  if (hasEnded) journal.end();
  await journal.close();
  return folder;
}

describe('a folder', () => {
  test('can be used if it has no journal', () => {
    expect(() => checkFolder(createFolder(), KINDS)).not.toThrow();
  });

  test('is refused while another run is active in it', async () => {
    const folder = await createJournal({ owner: getCurrentOwner() });
    expect(() => checkFolder(folder, KINDS)).toThrow(
      `another run is active in this folder (process ${process.pid}); use another folder`,
    );
  });

  test('is refused if it contains a journal without exports', async () => {
    const folder = await createJournal({ owner: DEAD });
    const message =
      /contains server_metrics\.journal, the journal of a run whose exports are not written; .*servelens recover/;
    expect(() => checkFolder(folder, KINDS)).toThrow(message);
    writeFileSync(join(folder, 'server_metrics_export.json'), '{"benchmark_id": "of an earlier run"}');
    expect(() => checkFolder(folder, KINDS)).toThrow(message);
  });

  test('is refused if it contains a journal of an earlier version without exports', async () => {
    expect(() => checkFolder('', KINDS)).not.toThrow();
    const folder = await createJournal({}, true);
    expect(() => checkFolder(folder, KINDS)).toThrow('whose exports are not written');
  });

  test('can be used if the exports of the kept journal are in it', async () => {
    const folder = await createJournal({ owner: getCurrentOwner() }, true);
    writeFileSync(join(folder, 'server_metrics_export.json'), '{"benchmark_id": "mine"}');
    expect(() => checkFolder(folder, KINDS)).not.toThrow();
  });

  test('compares the times of exports without an ID', async () => {
    const formats = { formats: ['csv'], percentileMethod: 'moments' } as const;
    const folder = await createJournal({ owner: DEAD, exports: formats }, true);
    const csv = join(folder, 'server_metrics_export.csv');
    writeFileSync(csv, '');
    expect(listJournaledRuns(folder)).toMatchObject([{ state: 'exported' }]);
    utimesSync(csv, 1, 1);
    expect(listJournaledRuns(folder)).toMatchObject([{ state: 'unexported' }]);
  });

  test.each([
    ['another prefix', { ...KINDS, prefix: 'p' }],
    ['other exports', { ...KINDS, writesServerMetrics: false, writesClientMetrics: true }],
  ])('can be used by a run with %s', async (_, kinds) => {
    const folder = await createJournal({ owner: getCurrentOwner() });
    expect(() => checkFolder(folder, kinds)).not.toThrow();
  });

  test('can be used after its run has been killed and recovered', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const born = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]!.split(' ')[19]!;
    const folder = await createJournal({ owner: { ...getCurrentOwner(), pid: child.pid!, born } });
    expect(listJournaledRuns(folder)).toMatchObject([{ state: 'active', pid: child.pid }]);
    const exited = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    expect(listJournaledRuns(folder)).toMatchObject([{ state: 'unexported' }]);
    writeFileSync(join(folder, 'server_metrics_export.json'), '{"benchmark_id": "mine"}');
    expect(() => checkFolder(folder, KINDS)).not.toThrow();
    rmSync(folder, { recursive: true });
  });
});

test('of two runs that start at the same time, the run with the later journal is refused', () => {
  const folder = createFolder();
  const journals = [1, 2].map(() => openJournal(folder, { ...HEADER, owner: getCurrentOwner() }, {}));
  const [first, second] = journals.map(({ path }) => path) as [string, string];
  expect(() => checkConcurrentStart(folder, first)).not.toThrow();
  expect(() => checkConcurrentStart(folder, second)).toThrow('another run is active in this folder');
});
