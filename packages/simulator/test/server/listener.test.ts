import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Listener } from '../../src/server/listener.ts';

function createListener(): Listener {
  const listener = new Listener((_, response) => void response.end('ok'));
  onTestFinished(() => listener.close());
  return listener;
}

test('serves requests', async () => {
  const listener = createListener();
  await listener.open(0, '127.0.0.1');
  expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(listener.url)).text()).toBe('ok');
});

test('writes IPv6 addresses in brackets', async ({ skip }) => {
  const listener = createListener();
  await listener.open(0, '::1').catch(() => skip('no IPv6'));
  expect(listener.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
});

test('reopens the same port after it was closed, and does nothing otherwise', async () => {
  const listener = createListener();
  await listener.reopen();
  expect(listener.url).toBe('http://:0');
  await listener.open(0, '127.0.0.1');
  const { url } = listener;
  await listener.reopen();
  await listener.close();
  await expect(fetch(url)).rejects.toThrow();
  await listener.reopen();
  expect(listener.url).toBe(url);
  expect((await fetch(url)).status).toBe(200);
});

test('closeConnections keeps the port open', async () => {
  const listener = createListener();
  await listener.open(0, '127.0.0.1');
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
  const closed = new Promise(resolve => socket.on('error', () => {}).on('close', resolve));
  await new Promise(resolve => socket.once('connect', resolve));
  // After a later connection has been served, the server has accepted this one, too.
  await fetch(listener.url);
  listener.closeConnections();
  await closed;
  expect((await fetch(listener.url)).status).toBe(200);
});
