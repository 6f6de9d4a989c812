/** The worker thread started by {@link openThreadCounter}. Its `workerData` is a {@link CounterTask}. */
import { parentPort, workerData } from 'node:worker_threads';
import { openChatCounter } from './chatTokens.ts';
import { type CountJob, type CountResult, countTokens } from './counter.ts';
import { openTokenizer } from './tokenizer.ts';

/** The tokenizer of a counter thread. */
export interface CounterTask {
  /** Name of the tokenizer, as for `openTokenizer`. */
  readonly tokenizer: string;
  /** True to count the messages of jobs with the chat template of the tokenizer. */
  readonly appliesChatTemplate: boolean;
}

/** A message of the thread: `ready` first, then the result or the error of each job. */
export type CounterMessage = 'ready' | CountResult | { readonly error: string };

const port = parentPort;
if (!port) throw new Error('BUG: the token counter thread was started as a program');
const { tokenizer: name, appliesChatTemplate } = workerData as CounterTask;
const tokenizer = await openTokenizer(name);
const countChat = appliesChatTemplate ? await openChatCounter(name, tokenizer) : undefined;
port.on('message', (job: CountJob) => port.postMessage(runJob(job)));
port.postMessage('ready' satisfies CounterMessage);

function runJob(job: CountJob): CounterMessage {
  try {
    return countTokens(tokenizer, job, countChat);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
