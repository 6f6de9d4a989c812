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
import type { MarkAnswer, MarkRequest } from '../../src/marks/protocol.ts';
import { socketsIn } from '../../src/marks/socketPath.ts';

let folder = '';
const listeners: MarkListener[] = [];
const requests: MarkRequest[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mark-'));
  requests.length = 0;
});
afterEach(async () => {
  for (const one of listeners.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

const OK: MarkAnswer = { ok: true, time_ns: '1', message: 'noted' };

async function listening(
  where = folder,
  answer: () => Promise<MarkAnswer> = async () => OK,
): Promise<MarkListener> {
  const listener = await MarkListener.open(where, request => {
    requests.push(request);
    return answer();
  });
  listeners.push(listener);
  return listener;
}

async function connected(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

/** All that comes back for these bytes, until the other end closes. */
async function exchange(path: string, ...chunks: (string | Buffer)[]): Promise<string> {
  const socket = await connected(path);
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

const NOTE = '{"mark":"note","text":"hello","who":"me"}\n';

test('a line is answered with a line, on a socket that is the user’s alone and goes with the run', async () => {
  const { path } = await listening();
  expect(path).toBe(join(folder, 'servelens.sock'));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await exchange(path, NOTE))).toEqual(OK);
  expect(requests).toEqual([{ mark: 'note', text: 'hello', who: 'me' }]);
  await listeners.pop()!.close();
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, (string | Buffer)[], string, number]>([
  ['in pieces', [NOTE.slice(0, 9), NOTE.slice(9)], '"ok":true', 1],
  ['with another one behind it, which is left', [NOTE + NOTE], '"ok":true', 1],
  ['that is no JSON', ['GET / HTTP/1.1\r\n\r\n'], 'the request is no JSON in UTF-8', 0],
  ['of NULs', [Buffer.alloc(20), '\n'], 'the request is no JSON in UTF-8', 0],
  ['too long', ['x'.repeat(20_000)], 'the request is longer than 16384 bytes', 0],
  [
    'too long, line end included',
    [`${NOTE.slice(0, -1)}${' '.repeat(20_000)}\n`],
    'longer than 16384 bytes',
    0,
  ],
])('a request %s', async (_name, chunks, answer, count) => {
  const { path } = await listening();
  expect(await exchange(path, ...chunks)).toContain(answer);
  expect(requests).toHaveLength(count);
});

test('the answer waits for what the mark does, and who does not wait has made it all the same', async () => {
  let finish: (answer: MarkAnswer) => void = () => {};
  const { path } = await listening(
    folder,
    () =>
      new Promise(resolve => {
        finish = resolve;
      }),
  );
  const impatient = await connected(path);
  impatient.write(NOTE);
  while (requests.length < 1) await sleep(5);
  impatient.destroy();
  const patient = exchange(path, NOTE);
  while (requests.length < 2) await sleep(5);
  finish(OK);
  expect(JSON.parse(await patient)).toEqual(OK);
});

test('more than 32 at a time are turned away, and those who say nothing keep nobody', async () => {
  const { path } = await listening();
  const silent = await Promise.all(Array.from({ length: 31 }, () => connected(path)));
  expect(JSON.parse(await exchange(path, NOTE))).toEqual(OK);
  silent.push(await connected(path));
  const turnedAway = connect(path).on('error', () => {});
  await once(turnedAway, 'close');
  silent.pop()!.destroy();
  for (let tries = 0; requests.length < 2 && tries < 100; tries++)
    await Promise.race([exchange(path, NOTE).catch(() => {}), sleep(50)]);
  expect(requests.length).toBeGreaterThanOrEqual(2);
  for (const socket of silent) socket.destroy();
});

test('runs in one folder have a socket each; one that a killed run left is taken over', async () => {
  const first = await listening();
  const second = await listening();
  expect(second.path).toBe(join(folder, 'servelens-2.sock'));
  expect(socketsIn(folder)).toEqual([join(folder, 'servelens-2.sock'), first.path]);
  // A server of another process that was killed: its socket stays and nobody listens.
  const stale = join(folder, 'servelens-3.sock');
  const server = createServer().listen(`${stale}.tmp`);
  await once(server, 'listening');
  linkSync(`${stale}.tmp`, stale);
  server.close();
  await once(server, 'close');
  expect((await listening()).path).toBe(stale);
});

test('what is no socket is left alone', async () => {
  writeFileSync(join(folder, 'servelens.sock'), 'mine');
  expect((await listening()).path).toBe(join(folder, 'servelens-2.sock'));
  expect(readFileSync(join(folder, 'servelens.sock'), 'utf8')).toBe('mine');
});

test('where the path is too long for a socket, a file in the folder says where it is', async () => {
  const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
  mkdirSync(deep, { recursive: true });
  const listener = await listening(deep);
  expect(Buffer.byteLength(listener.path)).toBeLessThanOrEqual(107);
  expect(statSync(dirname(listener.path)).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(deep, 'servelens.sock.path'), 'utf8')).toBe(`${listener.path}\n`);
  expect(socketsIn(deep)).toEqual([listener.path]);
  expect(JSON.parse(await exchange(listener.path, NOTE))).toEqual(OK);
  await listeners.pop()!.close();
  expect(readdirSync(deep)).toEqual([]);
  expect(existsSync(dirname(listener.path))).toBe(false);
});

test('where the folder takes no such file either, the command alone knows the socket', async () => {
  const deep = join(folder, 'x'.repeat(60), 'y'.repeat(60));
  mkdirSync(join(deep, 'servelens.sock.path'), { recursive: true });
  const { path } = await listening(deep);
  expect(JSON.parse(await exchange(path, NOTE))).toEqual(OK);
  await listeners.pop()!.close();
  expect(existsSync(dirname(path))).toBe(false);
});
