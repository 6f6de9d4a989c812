/** A thread that puts on its share of a load: what `openWorkers` starts. Its data is a `ThreadTask`. */
import { BroadcastChannel, parentPort, workerData } from 'node:worker_threads';
import { openInputs } from '../input/inputsDescription.ts';
import { Ledger } from '../run/ledger.ts';
import { Run } from '../run/localRun.ts';
import type { Counter } from '../tokens/counter.ts';
import { openTokenizer } from '../tokens/openTokenizer.ts';
import { openThreadCounter } from '../tokens/threadCounter.ts';
import { clockSince } from './clockOrigin.ts';
import type { FromThread, ThreadTask, ToThread } from './messages.ts';
import { Outbox } from './recordBatcher.ts';
import { Teammate } from './threadCoordinator.ts';

const port = parentPort;
if (!port) throw new Error('BUG: the load thread was started as a program');
const post = (message: FromThread): void => port.postMessage(message);

const task = workerData as ThreadTask;
const { worker, load } = task;
const clock = clockSince(task.origin);
const ledger = new Ledger(task.workers, task.memory);
const channel = new BroadcastChannel(task.channel);
const controller = new AbortController();
let run: Run | undefined;
const outbox = new Outbox({
  post: (records, weight) => post({ is: 'records', records, weight }),
  ledger,
  worker,
  nowNs: () => clock.now(),
  onRelease: () => run?.wake(),
});
const teammate = new Teammate(
  { worker, ledger, nudge: () => channel.postMessage('nudge'), isHeld: () => outbox.isHeld() },
  post,
);
channel.onmessage = () => run?.wake();
port.on('message', (message: ToThread) => {
  if (message.do === 'interrupt') controller.abort();
  else teammate.hear(message);
});

try {
  const { tokenizer, countsTokens = true } = load;
  const counter = tokenizer !== undefined && countsTokens ? await openThreadCounter(tokenizer) : undefined;
  try {
    await put(counter);
  } finally {
    await counter?.close();
  }
} catch (error) {
  // Once it is under way, nothing is expected to fail: that ends the thread, and whoever started it sees it.
  if (run) throw error;
  const { name, message, syscall } = error as NodeJS.ErrnoException;
  post({ is: 'refused', name, message, ...(syscall === undefined ? {} : { syscall }) });
}
outbox.close();
channel.close();
port.close();

/** Opens the inputs and runs to the end. */
async function put(counter: Counter | undefined): Promise<void> {
  const { inputs: described, tokenizer, countsTokens: _, ...options } = load;
  const writer = tokenizer === undefined ? undefined : await openTokenizer(tokenizer);
  const inputs = await openInputs(described, writer);
  const listening = {
    workerId: `worker_${worker}`,
    signal: controller.signal,
    onRecord: (record: Parameters<Outbox['take']>[0]) => outbox.take(record),
    onPhase: (event: Extract<FromThread, { is: 'event' }>['event']) => post({ is: 'event', event }),
  };
  run = new Run({ ...options, inputs, ...(counter ? { counter } : {}), ...listening }, clock, teammate);
  post({ is: 'open', tokenizer: counter?.name ?? 'server' });
  const summary = await run.finished;
  post({ is: 'done', summary, heldNs: outbox.close() });
}
