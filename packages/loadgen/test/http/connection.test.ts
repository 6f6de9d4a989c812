import { expect, test } from 'vitest';
import { runLoad } from '../support/load.ts';
import { formatResponse, startRawServer } from '../support/server.ts';

const message = JSON.stringify({ choices: [{ message: { content: 'hi' } }] });
const response = formatResponse('200 OK', 'application/json', message);
const target = { streaming: false };

test('a connection stays open, and only its first request has connect times', async () => {
  const { url, received } = await startRawServer(socket => socket.write(response));
  const { records } = await runLoad(url, { target, profiling: { concurrency: 1, requestCount: 3 } });
  expect(received.map(({ earlierRequests }) => earlierRequests)).toEqual([0, 1, 2]);
  expect(records.map(({ connectionReused }) => connectionReused)).toEqual([false, true, true]);
  const [first, second] = records.map(({ trace }) => trace);
  expect(first!.connectEndNs).toBeGreaterThanOrEqual(first!.connectStartNs!);
  expect(first!.sendStartNs).toBeGreaterThanOrEqual(first!.connectEndNs!);
  expect([first!.tlsStartNs, second!.connectStartNs]).toEqual([undefined, undefined]);
});

test('a connection is opened for each request if reuse is disabled', async () => {
  const { url, received } = await startRawServer(socket => socket.write(response));
  const { records } = await runLoad(url, {
    target,
    connectionReuse: 'never',
    profiling: { concurrency: 1, requestCount: 3 },
  });
  expect(received.map(({ earlierRequests }) => earlierRequests)).toEqual([0, 0, 0]);
  expect(records.every(({ connectionReused }) => !connectionReused)).toBe(true);
});
