import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
// Threads run compiled modules.
import { Push, type PushReport, startThreadDispatcher } from '@org/push';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAX_WAITING } from '../../src/dispatch/threadDispatcher.ts';
import type { PushTarget } from '../../src/target.ts';
import { createBatch } from '../support/batches.ts';
import { decodeWrite, listSymbolSeries } from '../support/decode.ts';
import { createExports } from '../support/exports.ts';
import { accept, Receiver, type Respond, respondWith } from '../support/receiver.ts';
import { startRun } from '../support/run.ts';

async function startReceiver(respond: Respond = accept): Promise<{ receiver: Receiver; target: PushTarget }> {
  const receiver = new Receiver(respond);
  onTestFinished(() => receiver.close());
  const target = {
    protocol: 'remote-write',
    url: `${await receiver.listen()}/write`,
    headers: { authorization: 'Bearer secret-token' },
    redact: (text: string) => text.replaceAll('secret-token', '<redacted>'),
  } as const;
  return { receiver, target };
}

/** Pushes two readings of a run, their end, and its statistics by a thread. */
async function pushRun(targets: readonly PushTarget[], timeoutMs = 60_000): Promise<PushReport> {
  const push = new Push({ targets, labels: {}, version: '1.2.3', createDispatcher: startThreadDispatcher });
  startRun(push);
  push.handle({ type: 'load_ended' });
  await push.endRun(createExports());
  return await push.close(timeoutMs);
}

test('a thread sends the live values, their end and the statistics to all receivers', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  const { destinations, problem } = await pushRun([first.target, { ...second.target, protocol: 'otlp' }]);
  expect(problem).toBeUndefined();
  const messages = first.receiver.requests.map(({ body }) =>
    listSymbolSeries(decodeWrite('Request', body)).join('\n'),
  );
  expect(messages).toHaveLength(4);
  expect(messages[0]).toMatch(/servelens_server_requests_running\{.*\} 3 @/);
  expect(messages[2]).toMatch(/servelens_server_requests_running\{.*\} NaN @/);
  expect(messages[3]).toMatch(/servelens_result_client\{.*statistic="p99".*\} 250 @/);
  expect(first.receiver.requests[0]!.headers.authorization).toBe('Bearer secret-token');
  expect(second.receiver.requests).toHaveLength(4);
  expect(destinations).toMatchObject([
    { protocol: 'remote-write', version: '2.0', requests: 4, undeliveredPoints: 0 },
    { protocol: 'otlp', requests: 4, undeliveredPoints: 0 },
  ]);
  expect(destinations[0]!.sentPoints).toBe(destinations[1]!.sentPoints);
});

test('values that a receiver rejects are counted, without its secrets', async () => {
  const { target } = await startReceiver(respondWith(401, {}, 'invalid token secret-token'));
  const { destinations } = await pushRun([target]);
  expect(destinations[0]).toMatchObject({
    sentPoints: 0,
    lastProblem: 'HTTP 401: invalid token <redacted>',
  });
  expect(destinations[0]!.rejectedPoints).toBeGreaterThan(0);
});

test('a receiver that never responds does not delay the end', async () => {
  const { target } = await startReceiver(() => {});
  const { destinations } = await pushRun([target], 0);
  expect(destinations[0]!.sentPoints).toBe(0);
  expect(destinations[0]!.undeliveredPoints).toBeGreaterThan(0);
});

test('a thread that fails does not fail the run: what it was given counts as lost', async () => {
  const target = { protocol: 'remote-write', url: 'no URL', headers: {} } as const;
  const dispatcher = startThreadDispatcher([target], '1.2.3');
  // The batches have no metrics that the compiled modules know, which counting them does not need.
  const batch = {
    ...createBatch(),
    families: [{ ...createBatch().families[0]!, definition: null as never }],
  };
  for (let reading = 0; reading < MAX_WAITING + 10; reading++) dispatcher.add(batch);
  const [delivery] = await dispatcher.close(60_000);
  expect(delivery).toMatchObject({ sentPoints: 0, droppedPoints: 10, undeliveredPoints: MAX_WAITING });
  expect(delivery!.lastProblem).toMatch(/^the thread that sends values failed.*Invalid URL/);
});

test.runIf(process.platform === 'linux')('the thread has a lower priority than the run', async () => {
  const { receiver, target } = await startReceiver();
  const push = new Push({
    targets: [target],
    labels: {},
    version: '1',
    createDispatcher: startThreadDispatcher,
  });
  startRun(push);
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), { timeout: 60_000 });
  expect(listPriorities()).toContain(Math.min(19, getPriority() + 10));
  await push.close(60_000);
});

/** Lists the priorities of the threads of this process. */
function listPriorities(): number[] {
  return readdirSync('/proc/self/task').map(thread => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}
