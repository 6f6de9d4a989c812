import { afterEach, expect, test, vi } from 'vitest';
import { LocalDispatcher } from '../../src/dispatch/localDispatcher.ts';
import { Otlp } from '../../src/protocols/otlp.ts';
import { RemoteWrite } from '../../src/protocols/remoteWrite.ts';
import { createBatch, createStatistics } from '../support/batches.ts';
import { accept, Receiver } from '../support/receiver.ts';

afterEach(() => vi.restoreAllMocks());

test('encodes values once for each protocol, and releases statistics that all receivers have', async () => {
  const [write, otlp] = [vi.spyOn(RemoteWrite.prototype, 'encode'), vi.spyOn(Otlp.prototype, 'encode')];
  const receiver = new Receiver(accept);
  const url = await receiver.listen();
  const targets = (['remote-write', 'remote-write', 'otlp', 'otlp', 'remote-write'] as const).map(
    (protocol, index) => ({ protocol, url: `${url}/${index}`, headers: {} }),
  );
  const dispatcher = new LocalDispatcher(targets, '1.2.3');
  const statistics = createStatistics([createBatch(2), createBatch(3)]);
  dispatcher.add(createBatch(1));
  dispatcher.addStatistics(statistics);
  const deliveries = await dispatcher.close(60_000);
  await receiver.close();
  expect(deliveries.map(({ sentPoints }) => sentPoints)).toEqual([3, 3, 3, 3, 3]);
  expect(receiver.requests).toHaveLength(15);
  expect(write).toHaveBeenCalledTimes(3);
  expect(otlp).toHaveBeenCalledTimes(3);
  expect(statistics.isReleased()).toBe(true);
});
