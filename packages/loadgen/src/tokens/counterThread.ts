/** The worker thread started by {@link openThreadCounter}. Its `workerData` is the tokenizer's name. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CountJob, type CountResult, countTokens } from './counter.ts';
import { openTokenizer } from './tokenizer.ts';

/** A message of the thread: `ready` first, then the result or the error of each job. */
export type CounterMessage = 'ready' | CountResult | { readonly error: string };

const port = parentPort;
if (!port) throw new Error('BUG: the token counter thread was started as a program');
const tokenizer = await openTokenizer(workerData as string);
port.on('message', (job: CountJob) => port.postMessage(runJob(job)));
port.postMessage('ready' satisfies CounterMessage);

function runJob(job: CountJob): CounterMessage {
  try {
    return countTokens(tokenizer, job);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
