import { expect, test } from 'vitest';
import { readExposition, readSampleValue } from '../support/exposition.ts';
import { sendRaw, startSimulator, waitUntil } from '../support/server.ts';

// An address that no other process uses, so that the port stays free while it is closed.
const host = process.platform === 'linux' ? '127.0.0.5' : '127.0.0.1';

test('a flapping server closes its ports and opens them again, more than once, and keeps its counters', async () => {
  const simulator = await startSimulator({ faults: [{ kind: 'flap', up: 0.3, down: 0.3 }] }, host);
  const { metricsUrl } = simulator.address;
  const readStart = async (): Promise<number | undefined> => {
    const response = await sendRaw(metricsUrl).catch(() => undefined);
    if (!response?.complete) return undefined;
    return readSampleValue(readExposition(response.body.toString()), 'process_start_time_seconds');
  };
  const starts = new Set<number>();
  const waitUntilUp = () =>
    waitUntil(async () => {
      const start = await readStart();
      if (start !== undefined) starts.add(start);
      return start !== undefined;
    });
  for (let period = 0; period < 3; period++) {
    await waitUntilUp();
    await waitUntil(async () => (await readStart()) === undefined);
  }
  expect(starts.size).toBe(1);
});

test('a flapping server stays closed after its end', async () => {
  const simulator = await startSimulator({ faults: [{ kind: 'flap', up: 0.05, down: 0.05 }] }, host);
  await simulator.close();
  await new Promise(resolve => setTimeout(resolve, 300));
  await expect(sendRaw(simulator.address.metricsUrl)).rejects.toThrow('ECONNREFUSED');
});

test('a port that is being closed stays closed after the end of the server', async () => {
  const simulator = await startSimulator({}, host);
  const refused = simulator.control.refuse(0.01);
  await Promise.all([simulator.close(), refused]);
  await new Promise(resolve => setTimeout(resolve, 200));
  await expect(sendRaw(simulator.address.metricsUrl)).rejects.toThrow('ECONNREFUSED');
});
