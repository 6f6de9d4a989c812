import { stat } from 'node:fs/promises';
import {
  EMBEDDED_TOKENIZER,
  type InputsDescription,
  type LoadDescription,
  type LoadListener,
  type LoadRun,
  openInputs,
  openThreadCounter,
  openTokenizer,
  openWorkers,
  startLoad,
  ThreadError,
} from '@org/loadgen';
import { RunInputError } from '@org/record';
import type { Clock } from '@org/scrape';
import { describeInputs, inputTold } from './loadInputs.ts';
import type { ProfileOptions } from './profilePlan.ts';

/** A load that is ready to be put on. */
export interface ReadyLoad {
  /** Who counts the tokens: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  /** Begins it; once. Throws `RunInputError` for options that do not go together. */
  start(listener: LoadListener): LoadRun;
  /** Gives back what it has opened. */
  close(): Promise<void>;
}

/** Opens the tokenizer and the inputs, in this thread or in those of --workers. Throws `RunInputError` for what cannot be used. */
export async function readyLoad(options: ProfileOptions, clock: Clock): Promise<ReadyLoad> {
  const inputs = await describeInputs(options.inputs, options.seed);
  return options.workers === undefined
    ? inThisThread(options, inputs, clock)
    : inThreads(options, inputs, clock);
}

async function inThisThread(
  options: ProfileOptions,
  described: InputsDescription,
  clock: Clock,
): Promise<ReadyLoad> {
  const { tokenizer, useServerTokenCount } = options;
  const [writer, counter] = await tokenizerTold(() =>
    Promise.all([openTokenizer(tokenizer), useServerTokenCount ? undefined : openThreadCounter(tokenizer)]),
  );
  const close = async (): Promise<void> => counter?.close();
  try {
    const inputs = await inputTold(options.inputs.file, () => openInputs(described, writer));
    const load = { ...commonOptions(options), clock, inputs, ...(counter ? { counter } : {}) };
    return {
      tokenizer: counter?.name ?? 'server',
      start: listener => begun(() => startLoad({ ...load, ...listener })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function inThreads(
  options: ProfileOptions,
  inputs: InputsDescription,
  clock: Clock,
): Promise<ReadyLoad> {
  const { tokenizer, useServerTokenCount, workers = 1 } = options;
  // What is wrong with these is told before threads are started.
  if (tokenizer !== EMBEDDED_TOKENIZER) await tokenizerTold(() => openTokenizer(tokenizer));
  if (options.inputs.file !== undefined) await checkFile(options.inputs.file);
  const description = { tokenizer, countsTokens: !useServerTokenCount, inputs };
  const load = { ...commonOptions(options), ...description, workers, clock };
  const threads = await threadsTold(workers, () =>
    inputTold(options.inputs.file, () => openWorkers(load).catch(refused)),
  );
  const { tokenizer: counter } = threads;
  return { tokenizer: counter, start: listener => threads.start(listener), close: () => threads.close() };
}

/** A thread that cannot be started is one too many. */
async function threadsTold<T>(workers: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw new RunInputError(`--workers is ${workers}: ${error.message}`);
  }
}

/** Each thread reads the file for itself, which cannot be done with what comes through a pipe. */
async function checkFile(file: string): Promise<void> {
  const found = await inputTold(file, () => stat(file));
  if (!found.isFile())
    throw new RunInputError(
      `--input-file is ${JSON.stringify(file)}: no file that can be read again, as each thread of --workers does`,
    );
}

/** What the load is told in any number of threads. */
function commonOptions({
  ask,
  profiling,
  warmup,
  cancellation,
  seed,
  useServerTokenCount,
}: ProfileOptions): Omit<LoadDescription, 'inputs'> {
  return {
    endpoint: ask.endpoint,
    target: {
      urls: ask.urls,
      model: ask.model,
      ...(ask.path === undefined ? {} : { path: ask.path }),
      streaming: ask.streaming,
      headers: ask.headers,
      ...(ask.apiKey === undefined ? {} : { apiKey: ask.apiKey }),
      extraInputs: ask.extraInputs,
      legacyMaxTokens: ask.legacyMaxTokens,
    },
    profiling,
    ...(warmup ? { warmup } : {}),
    seed,
    ...(cancellation ? { cancellation } : {}),
    ...(ask.timeoutSeconds === undefined ? {} : { timeoutS: ask.timeoutSeconds }),
    connectionReuse: ask.connectionReuse,
    tls: ask.tls,
    tokenSource: useServerTokenCount ? 'server' : 'client',
  };
}

function begun<T>(begin: () => T): T {
  try {
    return begin();
  } catch (error) {
    return refused(error);
  }
}

/** What the load generator refuses is a mistake of the user. */
function refused(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  throw new RunInputError(error.message.replace(/^fixedSchedule\b/, '--fixed-schedule'));
}

async function tokenizerTold<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new RunInputError(`--tokenizer: ${(error as Error).message}`);
  }
}
