import type { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TaskQueue } from '../../src/server/taskQueue.ts';

const connected = { destroyed: false } as ServerResponse;
const disconnected = { destroyed: true } as ServerResponse;

/** Queues tasks that append their number to `written`, and resolves when the last task has run. */
function addTasks(queue: TaskQueue, count: number, written: number[]): Promise<void> {
  return new Promise(resolve => {
    for (let i = 0; i < count; i++) {
      queue.add(connected, () => {
        written.push(i);
        if (i === count - 1) resolve();
      });
    }
  });
}

test('runs tasks asynchronously, in order', async () => {
  const queue = new TaskQueue();
  for (let round = 0; round < 2; round++) {
    const written: number[] = [];
    const done = addTasks(queue, 100, written);
    expect(written).toEqual([]);
    await done;
    expect(written).toEqual(Array.from({ length: 100 }, (_, i) => i));
  }
});

test('runs a task that is added by another task after the tasks that are already queued', async () => {
  const queue = new TaskQueue();
  const written: string[] = [];
  await new Promise<void>(resolve => {
    queue.add(connected, () => {
      written.push('a');
      queue.add(connected, () => {
        written.push('c');
        resolve();
      });
    });
    queue.add(connected, () => void written.push('b'));
  });
  expect(written).toEqual(['a', 'b', 'c']);
});

test('skips tasks of disconnected clients', async () => {
  const queue = new TaskQueue();
  const written: number[] = [];
  queue.add(disconnected, () => void written.push(-1));
  await addTasks(queue, 1, written);
  expect(written).toEqual([0]);
});

test('reads sockets between groups of tasks', async () => {
  const server = createServer(socket => socket.on('data', () => void written.push(-1)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const written: number[] = [];
  await new Promise<void>(resolve => server.once('connection', () => resolve()));
  const queue = new TaskQueue();
  queue.add(connected, () => client.write('x'));
  await addTasks(queue, 1000, written);
  expect(written.indexOf(-1)).toBeGreaterThan(0);
  expect(written.indexOf(-1)).toBeLessThan(1000);
});
