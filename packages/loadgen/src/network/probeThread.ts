/** The worker thread started by {@link RoundTrips}. Its `workerData` is a {@link ProbeTask}. */
import { parentPort, workerData } from 'node:worker_threads';
import { RoundTripProbe } from './roundTripProbe.ts';
import type { FromProbe, ProbeTask, ToProbe } from './roundTrips.ts';

const port = parentPort;
if (!port) throw new Error('BUG: the thread of round trips was started as a program');
const { urls, intervalS } = workerData as ProbeTask;
const probe = new RoundTripProbe(urls, intervalS);
await probe.open();
port.on('message', async (message: ToProbe) => {
  if (message === 'start') {
    probe.start();
    return;
  }
  await probe.stop();
  port.postMessage(probe.roundTrips satisfies FromProbe);
});
port.postMessage('ready' satisfies FromProbe);
