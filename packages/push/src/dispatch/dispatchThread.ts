/** The main module of the worker thread that `ThreadDispatcher` starts. Its `workerData` is a `ThreadTask`. */
import { parentPort, workerData } from 'node:worker_threads';
import { LocalDispatcher } from './localDispatcher.ts';
import { type FromThread, fromMessage, type ThreadTask, type ToThread } from './messages.ts';
import { RemoteStatistics } from './remoteStatistics.ts';
import { lowerThreadPriority } from './threadPriority.ts';

const port = parentPort;
if (!port) throw new Error('BUG: the worker thread was started as a program');
const post = (message: FromThread): void => port.postMessage(message);

const { receivers, version, handled } = workerData as ThreadTask;
const dispatcher = new LocalDispatcher(receivers, version);
const statistics = new Map<number, RemoteStatistics>();
lowerThreadPriority();
port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'add':
      dispatcher.add(fromMessage(message.batch));
      Atomics.add(handled, 0, 1);
      return;
    case 'end_series':
      dispatcher.endSeries(message.run, message.timeMs);
      return;
    case 'statistics': {
      const remote = new RemoteStatistics(message, {
        requestPart: part => post({ type: 'read_part', id: message.id, part }),
        release: () => {
          statistics.delete(message.id);
          post({ type: 'release', id: message.id });
        },
      });
      statistics.set(message.id, remote);
      dispatcher.addStatistics(remote);
      return;
    }
    case 'part':
      statistics.get(message.id)?.receivePart(message.part, message.result);
      return;
    case 'close':
      void close(message.timeoutMs);
  }
});

async function close(timeoutMs: number): Promise<void> {
  post({ type: 'closed', deliveries: await dispatcher.close(timeoutMs) });
  port!.close();
}
