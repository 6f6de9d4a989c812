import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MarkListener } from '../../src/marks/listener.ts';
import type { MarkRequest, MarkResponse } from '../../src/marks/protocol.ts';
import { listSockets } from '../../src/marks/socketPath.ts';

let folder = '';
const listeners: MarkListener[] = [];
const requests: MarkRequest[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mark-'));
  requests.length = 0;
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
  rmSync(folder, { recursive: true, force: true });
});

const OK: MarkResponse = { ok: true, time_ns: '1', message: 'noted' };

async function startListening(
  socketFolder = folder,
  respond: () => Promise<MarkResponse> = async () => OK,
): Promise<MarkListener> {
  const listener = await MarkListener.open(socketFolder, request => {
    requests.push(request);
    return respond();
  });
  listeners.push(listener);
  return listener;
}

async function openConnection(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

/** Sends chunks and returns everything that is received until the connection is closed. */
async function exchange(path: string, ...chunks: (string | Buffer)[]): Promise<string> {
  const socket = await openConnection(path);
  let text = '';
  socket.on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise(resolve => socket.on('close', resolve));
  for (const chunk of chunks) {
    socket.write(chunk);
    await sleep(5);
  }
  await closed;
  return text;
}

const NOTE = '{"mark":"note","text":"hello","sender":"me"}\n';

test('responds to a request on a socket that only the user can access, and removes the socket when closed', async () => {
  const { path } = await startListening();
  expect(path).toBe(join(folder, 'servelens.sock'));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await exchange(path, NOTE))).toEqual(OK);
  expect(requests).toEqual([{ mark: 'note', text: 'hello', sender: 'me' }]);
  await listeners.pop()!.close();
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, (string | Buffer)[], string, number]>([
  ['in two chunks', [NOTE.slice(0, 9), NOTE.slice(9)], '"ok":true', 1],
  ['followed by another request, which is ignored', [NOTE + NOTE], '"ok":true', 1],
  ['that is not JSON', ['GET / HTTP/1.1\r\n\r\n'], 'the request is not JSON in UTF-8', 0],
  ['that consists of NULs', [Buffer.alloc(20), '\n'], 'the request is not JSON in UTF-8', 0],
  ['that is too long', ['x'.repeat(20_000)], 'the request is longer than 16384 bytes', 0],
  [
    'that is too long although its line is complete',
    [`${NOTE.slice(0, -1)}${' '.repeat(20_000)}\n`],
    'longer than 16384 bytes',
    0,
  ],
])('handles a request %s', async (_name, chunks, response, count) => {
  const { path } = await startListening();
  expect(await exchange(path, ...chunks)).toContain(response);
  expect(requests).toHaveLength(count);
});

test('responds to a waiting client after another client has disconnected', async () => {
  let finish: (response: MarkResponse) => void = () => {};
  const { path } = await startListening(
    folder,
    () =>
      new Promise(resolve => {
        finish = resolve;
      }),
  );
  const disconnecting = await openConnection(path);
  disconnecting.write(NOTE);
  while (requests.length < 1) await sleep(5);
  disconnecting.destroy();
  const waiting = exchange(path, NOTE);
  while (requests.length < 2) await sleep(5);
  finish(OK);
  expect(JSON.parse(await waiting)).toEqual(OK);
});

test('responds despite idle connections, and rejects more than 32 connections', async () => {
  const { path } = await startListening();
  const idle = await Promise.all(Array.from({ length: 31 }, () => openConnection(path)));
  expect(JSON.parse(await exchange(path, NOTE))).toEqual(OK);
  idle.push(await openConnection(path));
  const rejected = connect(path).on('error', () => {});
  await once(rejected, 'close');
  idle.pop()!.destroy();
  for (let tries = 0; requests.length < 2 && tries < 100; tries++)
    await Promise.race([exchange(path, NOTE).catch(() => {}), sleep(50)]);
  expect(requests.length).toBeGreaterThanOrEqual(2);
  for (const socket of idle) socket.destroy();
});

test('creates a socket for each run in a folder, and replaces the socket of a killed run', async () => {
  const first = await startListening();
  const second = await startListening();
  expect(second.path).toBe(join(folder, 'servelens-2.sock'));
  expect(listSockets(folder)).toEqual([join(folder, 'servelens-2.sock'), first.path]);
  // The socket file of a killed process remains, but no process listens on it.
  const stale = join(folder, 'servelens-3.sock');
  const server = createServer().listen(`${stale}.tmp`);
  await once(server, 'listening');
  linkSync(`${stale}.tmp`, stale);
  server.close();
  await once(server, 'close');
  expect((await startListening()).path).toBe(stale);
});

test('keeps a file that is not a socket', async () => {
  writeFileSync(join(folder, 'servelens.sock'), 'mine');
  expect((await startListening()).path).toBe(join(folder, 'servelens-2.sock'));
  expect(readFileSync(join(folder, 'servelens.sock'), 'utf8')).toBe('mine');
});

test('writes a pointer to a socket in a temporary folder if the path is too long', async () => {
  const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
  mkdirSync(deep, { recursive: true });
  const listener = await startListening(deep);
  expect(Buffer.byteLength(listener.path)).toBeLessThanOrEqual(107);
  expect(statSync(dirname(listener.path)).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(deep, 'servelens.sock.path'), 'utf8')).toBe(`${listener.path}\n`);
  expect(listSockets(deep)).toEqual([listener.path]);
  expect(JSON.parse(await exchange(listener.path, NOTE))).toEqual(OK);
  await listeners.pop()!.close();
  expect(readdirSync(deep)).toEqual([]);
  expect(existsSync(dirname(listener.path))).toBe(false);
});

test('listens in a temporary folder even if the pointer cannot be written', async () => {
  const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
  mkdirSync(join(deep, 'servelens.sock.path'), { recursive: true });
  const { path } = await startListening(deep);
  expect(JSON.parse(await exchange(path, NOTE))).toEqual(OK);
  await listeners.pop()!.close();
  expect(existsSync(dirname(path))).toBe(false);
});
