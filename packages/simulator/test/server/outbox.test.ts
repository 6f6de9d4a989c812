import type { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Arrivals } from '../../src/server/arrivals.ts';
import { Outbox } from '../../src/server/outbox.ts';

const here = { destroyed: false } as ServerResponse;
const arrivals = new Arrivals();
const gone = { destroyed: true } as ServerResponse;

/** Puts numbers into an outbox that write themselves down, and resolves when the last one has. */
function numbers(outbox: Outbox, count: number, written: number[]): Promise<void> {
  return new Promise(resolve => {
    for (let i = 0; i < count; i++) {
      outbox.add(here, () => {
        written.push(i);
        if (i === count - 1) resolve();
      });
    }
  });
}

test('writes nothing at once, and all of it in order', async () => {
  const outbox = new Outbox(arrivals);
  for (let round = 0; round < 2; round++) {
    const written: number[] = [];
    const done = numbers(outbox, 100, written);
    expect(written).toEqual([]);
    await done;
    expect(written).toEqual(Array.from({ length: 100 }, (_, i) => i));
  }
});

test('what is added while it writes comes behind', async () => {
  const outbox = new Outbox(arrivals);
  const written: string[] = [];
  await new Promise<void>(resolve => {
    outbox.add(here, () => {
      written.push('a');
      outbox.add(here, () => {
        written.push('c');
        resolve();
      });
    });
    outbox.add(here, () => void written.push('b'));
  });
  expect(written).toEqual(['a', 'b', 'c']);
});

test('leaves out those who are gone', async () => {
  const outbox = new Outbox(arrivals);
  const written: number[] = [];
  outbox.add(gone, () => void written.push(-1));
  await numbers(outbox, 1, written);
  expect(written).toEqual([0]);
});

test('what comes in the middle of a burst is read before its end', async () => {
  const server = createServer(socket => socket.on('data', () => void written.push(-1)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const written: number[] = [];
  await new Promise<void>(resolve => server.once('connection', () => resolve()));
  const outbox = new Outbox(arrivals);
  outbox.add(here, () => client.write('x'));
  await numbers(outbox, 1000, written);
  expect(written.indexOf(-1)).toBeGreaterThan(0);
  expect(written.indexOf(-1)).toBeLessThan(1000);
});
