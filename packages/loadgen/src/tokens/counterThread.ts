/** A thread that counts tokens: what {@link openThreadCounter} starts. Its data is the tokenizer's name. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Counted, type CountJob, counted } from './counter.ts';
import { openTokenizer } from './openTokenizer.ts';

/** What the thread says: first that it is ready, then the counts of each job, or why a job failed. */
export type ThreadAnswer = 'ready' | Counted | { readonly error: string };

const port = parentPort;
if (!port) throw new Error('BUG: the counting thread was started as a program');
const tokenizer = await openTokenizer(workerData as string);
port.on('message', (job: CountJob) => port.postMessage(answered(job)));
port.postMessage('ready' satisfies ThreadAnswer);

function answered(job: CountJob): ThreadAnswer {
  try {
    return counted(tokenizer, job);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
