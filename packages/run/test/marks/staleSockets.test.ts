import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isListening, removeStaleSockets } from '../../src/marks/staleSockets.ts';

function createFolder(prefix = 'stale-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates the socket of a killed process. */
function createStaleSocket(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  expect(existsSync(path)).toBe(true);
}

async function listen(path: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return server;
}

test('removes the sockets of killed runs, and keeps the sockets of active runs', async () => {
  const folder = createFolder();
  createStaleSocket(join(folder, 'servelens.sock'));
  await listen(join(folder, 'servelens-2.sock'));
  expect(await isListening(folder)).toBe(true);
  await removeStaleSockets(folder);
  expect(readdirSync(folder)).toEqual(['servelens-2.sock']);
  expect(await isListening(createFolder())).toBe(false);
});

test('removes a stale socket in a temporary folder, with the folder and the pointer', async () => {
  const [folder, external] = [createFolder(), createFolder('servelens-')];
  createStaleSocket(join(external, 'servelens.sock'));
  writeFileSync(join(folder, 'servelens.sock.path'), `${join(external, 'servelens.sock')}\n`);
  expect(await isListening(folder)).toBe(false);
  await removeStaleSockets(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(external)).toBe(false);
});

test('keeps an active socket in a temporary folder', async () => {
  const [folder, external] = [createFolder(), createFolder('servelens-')];
  await listen(join(external, 'servelens.sock'));
  writeFileSync(join(folder, 'servelens.sock.path'), `${join(external, 'servelens.sock')}\n`);
  await removeStaleSockets(folder);
  expect(await isListening(folder)).toBe(true);
  expect(existsSync(external)).toBe(true);
});

test.each([
  ['another folder', 'home-', []],
  ['a folder with other files', 'servelens-', ['precious']],
])('removes only the pointer if it points to %s', async (_, prefix, files) => {
  const [folder, external] = [createFolder(), createFolder(prefix)];
  for (const name of files) mkdirSync(join(external, name));
  writeFileSync(join(folder, 'servelens.sock.path'), join(external, 'servelens.sock'));
  await removeStaleSockets(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(external)).toEqual(files);
});

test('ignores a folder that does not exist', async () => {
  await removeStaleSockets('/no/such/folder');
  expect(await isListening('/no/such/folder')).toBe(false);
});
