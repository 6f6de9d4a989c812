import type { Clock } from '@org/core';
import { expect, test } from 'vitest';
import { openFileInputs } from '../../src/input/fileInputs.ts';
import { writeJsonl } from '../support/files.ts';
import { clock, recordRequest, runLoad } from '../support/load.ts';
import {
  CHAT_BODY,
  END,
  formatChatEvent,
  formatChunk,
  formatHead,
  formatResponse,
  startRawServer,
} from '../support/server.ts';

const nonStreaming = { target: { streaming: false } };
const response = formatResponse('200 OK', 'application/json', CHAT_BODY);

test('reports a connection closed without a response', async () => {
  const record = await recordRequest(socket => socket.destroy());
  expect(record).toMatchObject({
    failure: { type: 'ConnectionReset' },
    resent: false,
    firstTokenNs: undefined,
  });
});

test('ends an endless stream at the timeout', async () => {
  let timer: NodeJS.Timeout | undefined;
  const record = await recordRequest(
    socket => {
      socket.write(formatHead());
      timer = setInterval(() => socket.write(formatChunk(formatChatEvent('a'))), 1);
    },
    { timeoutS: 0.8 },
  );
  clearInterval(timer);
  expect(record).toMatchObject({
    failure: { type: 'RequestTimeout', message: 'no complete response within 0.8 s' },
    cancelled: false,
  });
  expect(record.arrivals.pieces).toBeGreaterThan(5);
  expect(record.endNs - record.startNs).toBeGreaterThan(640e6);
});

test('times out if there is no response', async () => {
  const record = await recordRequest(() => {}, { timeoutS: 0.1 });
  expect(record).toMatchObject({ failure: { type: 'RequestTimeout' }, status: undefined });
});

test('ignores informational responses', async () => {
  const record = await recordRequest(socket =>
    socket.write(
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${formatHead()}${formatChunk(formatChatEvent('a'))}${END}`,
    ),
  );
  expect(record).toMatchObject({ failure: undefined, status: 200 });
});

test.each([
  ['http://127.0.0.1:1', 'ConnectionRefused'],
  ['http://name.invalid', 'UnknownHost'],
])('reports that %s cannot be reached', async (url, type) => {
  const { records } = await runLoad(url, { profiling: { concurrency: 1, requestCount: 1 } });
  expect(records[0]).toMatchObject({ failure: { type }, trace: { sendStartNs: undefined } });
  expect(records[0]!.endNs).toBeGreaterThanOrEqual(records[0]!.startNs);
});

test('a request fails if its connection breaks soon after the previous response', async () => {
  const { url, received } = await startRawServer((socket, { earlierRequests }) => {
    if (earlierRequests === 0) socket.write(response);
    else socket.destroy();
  });
  // This clock runs slowly, so that a pause of the machine between two requests does not look like an idle connection.
  const slowClock: Clock = {
    nowNs: () => clock.nowNs() / 100n,
    monotonicMs: () => clock.monotonicMs() / 100,
  };
  const profiling = { concurrency: 1, requestCount: 4 };
  const { records } = await runLoad(url, { ...nonStreaming, clock: slowClock, profiling });
  expect(records.map(({ failure }) => failure?.type)).toEqual([
    undefined,
    'ConnectionReset',
    undefined,
    'ConnectionReset',
  ]);
  expect(received).toHaveLength(4);
});

test('a request is sent again if an idle connection breaks when it is used', async () => {
  const { url, received } = await startRawServer((socket, { earlierRequests }) => {
    if (earlierRequests === 0) socket.write(response);
    else socket.destroy();
  });
  const path = writeJsonl({ session_id: 's', turns: ['a', { text: 'b', delay: 600 }] });
  const profiling = { concurrency: 1 };
  const { records } = await runLoad(url, { ...nonStreaming, inputs: await openFileInputs(path), profiling });
  expect(records.map(({ failure, resent }) => [failure, resent])).toEqual([
    [undefined, false],
    [undefined, true],
  ]);
  expect(received).toHaveLength(3);
});

test('counts the transferred bytes', async () => {
  const { url, received } = await startRawServer(socket => socket.write(response));
  const { records } = await runLoad(url, { ...nonStreaming, profiling: { concurrency: 1, requestCount: 2 } });
  records.forEach(({ traffic }, index) => {
    const { head: sent, body } = received[index]!;
    expect(traffic).toMatchObject({
      bytesSent: Buffer.byteLength(`${sent}\r\n\r\n${body}`),
      requestBytes: Buffer.byteLength(body),
      bytesReceived: response.length,
      responseBytes: CHAT_BODY.length,
      reads: 1,
    });
  });
});
