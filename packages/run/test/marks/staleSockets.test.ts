import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isListening, removeDead } from '../../src/marks/staleSockets.ts';

function temporary(prefix = 'dead-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A socket as a process leaves it that is killed. */
function leaveSocket(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect(existsSync(path)).toBe(true);
}

async function listening(path: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return server;
}

test('sockets of killed runs go, one that somebody listens on stays', async () => {
  const folder = temporary();
  leaveSocket(join(folder, 'servelens.sock'));
  await listening(join(folder, 'servelens-2.sock'));
  expect(await isListening(folder)).toBe(true);
  await removeDead(folder);
  expect(readdirSync(folder)).toEqual(['servelens-2.sock']);
  expect(await isListening(temporary())).toBe(false);
});

test('a socket elsewhere goes with its folder and what says where it is', async () => {
  const [folder, elsewhere] = [temporary(), temporary('servelens-')];
  leaveSocket(join(elsewhere, 'servelens.sock'));
  writeFileSync(join(folder, 'servelens.sock.path'), `${join(elsewhere, 'servelens.sock')}\n`);
  expect(await isListening(folder)).toBe(false);
  await removeDead(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(elsewhere)).toBe(false);
});

test('one elsewhere on which somebody listens stays', async () => {
  const [folder, elsewhere] = [temporary(), temporary('servelens-')];
  await listening(join(elsewhere, 'servelens.sock'));
  writeFileSync(join(folder, 'servelens.sock.path'), `${join(elsewhere, 'servelens.sock')}\n`);
  await removeDead(folder);
  expect(await isListening(folder)).toBe(true);
  expect(existsSync(elsewhere)).toBe(true);
});

test.each([
  ['a folder of somebody else', 'home-', []],
  ['one that has more in it', 'servelens-', ['precious']],
])('what says that the socket is in %s removes nothing there', async (_, prefix, files) => {
  const [folder, elsewhere] = [temporary(), temporary(prefix)];
  for (const name of files) mkdirSync(join(elsewhere, name));
  writeFileSync(join(folder, 'servelens.sock.path'), join(elsewhere, 'servelens.sock'));
  await removeDead(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(elsewhere)).toEqual(files);
});

test('a folder that is not there has none', async () => {
  await removeDead('/no/such/folder');
  expect(await isListening('/no/such/folder')).toBe(false);
});
