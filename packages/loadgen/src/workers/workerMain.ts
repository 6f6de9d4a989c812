/** The main module of a worker thread started by `openWorkers`. Its `workerData` is a `ThreadTask`. */
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';
import { openEndpoint } from '../endpoint/endpoints.ts';
import { openInputs } from '../input/inputsDescription.ts';
import type { RequestRecord } from '../requestRecord.ts';
import { Ledger } from '../run/ledger.ts';
import type { PhaseEvent } from '../run/loadOptions.ts';
import { LocalRun } from '../run/localRun.ts';
import type { TokenCounter } from '../tokens/counter.ts';
import { openThreadCounter } from '../tokens/threadCounter.ts';
import { openTokenizer } from '../tokens/tokenizer.ts';
import { createRunClock } from './clockOrigin.ts';
import type { FromThread, ThreadTask, ToThread } from './messages.ts';
import { RecordBatcher } from './recordBatcher.ts';
import { ThreadCoordinator } from './threadCoordinator.ts';

const port = parentPort;
if (!port) throw new Error('BUG: the worker thread was started as a program');
const post = (message: FromThread): void => port.postMessage(message);

const task = workerData as ThreadTask;
const { worker, load } = task;
const clock = createRunClock(task.origin);
const ledger = new Ledger(task.workers, task.memory);
const channel = new BroadcastChannel(task.channel);
const controller = new AbortController();
const overSaturated = new AbortController();
let run: LocalRun | undefined;
const batcher = new RecordBatcher({
  post: (records, bytes) => post({ type: 'records', records, bytes }),
  ledger,
  worker,
  nowNs: () => clock.nowNs(),
  onRelease: () => run?.wake(),
});
const coordinator = new ThreadCoordinator(
  { worker, ledger, wakeOthers: () => channel.postMessage('wake'), isPaused: () => batcher.isPaused() },
  post,
);
channel.onmessage = () => run?.wake();
port.on('message', (message: ToThread) => {
  if (message.type === 'interrupt') controller.abort();
  else if (message.type === 'end_phase') overSaturated.abort();
  else coordinator.receive(message);
});

try {
  const { tokenizer, countsTokens = true, appliesChatTemplate = false } = load;
  const counter =
    tokenizer !== undefined && countsTokens
      ? await openThreadCounter(tokenizer, { appliesChatTemplate })
      : undefined;
  try {
    await runLoad(counter);
  } finally {
    await counter?.close();
  }
} catch (error) {
  // An error during a run is a bug: let it terminate the thread, which the main thread detects.
  if (run) throw error;
  const { name, message, syscall } = error as NodeJS.ErrnoException;
  post({ type: 'rejected', name, message, ...(syscall === undefined ? {} : { syscall }) });
}
batcher.close();
channel.close();
port.close();

/** Opens the inputs and runs the load to its end. */
async function runLoad(counter: TokenCounter | undefined): Promise<void> {
  const { inputs: description, tokenizer: name, countsTokens: _, ...options } = load;
  const tokenizer = name === undefined ? undefined : await openTokenizer(name);
  const inputs = await openInputs(description, tokenizer);
  const endpoint = await openEndpoint(load.endpoint ?? 'chat', load.target.format);
  const listener = {
    workerId: `worker_${worker}`,
    signal: controller.signal,
    overSaturated: overSaturated.signal,
    onRecord: (record: RequestRecord) => batcher.add(record),
    onPhase: (event: PhaseEvent) => post({ type: 'event', event }),
  };
  run = new LocalRun(
    { ...options, endpoint, inputs, ...(counter ? { counter } : {}), ...listener },
    clock,
    coordinator,
  );
  post({ type: 'open', tokenizer: counter?.name ?? 'server' });
  const summary = await run.finished;
  post({ type: 'done', summary, pausedNs: batcher.close() });
}
