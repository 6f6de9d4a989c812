import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Fetcher } from '../../src/http/fetcher.ts';
import { attachSharedReads, sharedReadOptions } from '../../src/http/sharedReadBuffer.ts';
import { createSystemClock } from '../../src/schedule/clock.ts';

/** Starts a server that calls `respond` for each connection. */
async function startServer(respond: (socket: Socket, index: number) => void) {
  let index = 0;
  const server = createServer(socket => {
    socket.on('error', () => {});
    respond(socket, index++);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('keeps unread bytes of one socket when another one is read', async () => {
  const sent = ['a', 'b', 'c'].map(letter => letter.repeat(5000));
  const { server, port } = await startServer((socket, index) => socket.end(sent[index]!));
  const received: string[] = [];
  for (let index = 0; index < sent.length; index++) {
    const socket = connect({ port, host: '127.0.0.1', onread: sharedReadOptions });
    await once(socket, 'connect');
    attachSharedReads(socket);
    await once(socket, 'end');
    received.push(String(socket.read()));
    expect(socket.read()).toBeNull();
    socket.destroy();
  }
  expect(received).toEqual(sent);
  server.close();
});

test('keeps concurrent chunked bodies separate', async () => {
  const formatBody = (index: number): string => `n${index} ${'1234567890'.repeat(20_000 + index)}\n`;
  const { server, port } = await startServer(socket => {
    socket.once('data', async request => {
      const index = Number(/GET \/(\d+)/.exec(String(request))![1]);
      const body = formatBody(index);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n`);
      for (let start = 0; start < body.length; start += 30_000) {
        socket.write(body.slice(start, start + 30_000));
        await new Promise(resolve => setImmediate(resolve));
      }
    });
  });
  const limits = { timeoutMs: 20_000, encodedBytes: 1e6, decodedBytes: 1e6 };
  const fetchers = Array.from({ length: 20 }, () => new Fetcher({ clock: createSystemClock(), limits }));
  const results = await Promise.all(
    fetchers.map((fetcher, index) => fetcher.fetch(`http://127.0.0.1:${port}/${index}`)),
  );
  results.forEach(({ body }, index) => {
    expect(Buffer.from(body!).toString() === formatBody(index)).toBe(true);
  });
  await Promise.all(fetchers.map(fetcher => fetcher.close()));
  server.close();
});
