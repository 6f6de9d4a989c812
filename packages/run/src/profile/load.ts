import { stat } from 'node:fs/promises';
import type { Clock } from '@org/core';
import {
  checkPhases,
  type Inputs,
  type InputsDescription,
  type LoadDescription,
  type LoadListener,
  type LoadRun,
  openInputs,
  openThreadCounter,
  openTokenizer,
  openWorkers,
  type PrepareOptions,
  startLoad,
  ThreadError,
} from '@org/loadgen';
import { PlanError } from '../plan/planError.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { checkBodies, openPlannedEndpoint } from './customBodies.ts';
import { describeInputs, withInputErrors } from './inputs.ts';
import { prepareTokenizers, type TokenizerUse, withTokenizerErrors } from './tokenizerUse.ts';
import { countWorkers } from './workerCount.ts';

/** A load that is ready to start. */
export interface ReadyLoad {
  /** Source of the token counts: the name of a tokenizer, or `server`. */
  readonly tokenizer: string;
  /** Starts the load; call it once. Throws `PlanError` if the schedule does not fit the inputs. */
  start(listener: LoadListener): LoadRun;
  /** Returns the inputs whose requests inputs.json lists; undefined for a trace, which is too large. */
  openInputs(): Promise<Inputs | undefined>;
  /** Closes the tokenizer and the inputs. */
  close(): Promise<void>;
}

type LoadPlan = Omit<ProfilePlan, 'folder' | 'targets'>;

/**
 * Opens the tokenizer and the inputs, in this thread or in worker threads. A tokenizer that is not on this machine is
 * downloaded. Throws `PlanError` if the tokenizer or the inputs cannot be opened.
 */
export async function openLoad(
  plan: LoadPlan,
  clock: Clock,
  onDownload?: PrepareOptions['onDownload'],
): Promise<ReadyLoad> {
  const inputs = await describeInputs(plan.inputs, plan.seed, plan.request.endpoint);
  const use = await prepareTokenizers(plan, inputs, onDownload);
  const workers = countWorkers(plan);
  return workers === undefined
    ? openLocalLoad(plan, inputs, use, clock)
    : openWorkerLoad(plan, workers, inputs, use, clock);
}

async function openLocalLoad(
  plan: LoadPlan,
  description: InputsDescription,
  use: TokenizerUse,
  clock: Clock,
): Promise<ReadyLoad> {
  const [writer, counter] = await withTokenizerErrors(plan.tokenizer, () =>
    Promise.all([
      use.writer === undefined ? undefined : openTokenizer(use.writer),
      use.counter === undefined ? undefined : openThreadCounter(use.counter, describeCount(plan)),
    ]),
  );
  const close = async (): Promise<void> => counter?.close();
  try {
    const inputs = await withInputErrors(plan.inputs.file, () => openInputs(description, writer));
    const endpoint = await openPlannedEndpoint(plan);
    checkBodies(endpoint, plan, inputs);
    const options = { ...describeLoad(plan), endpoint, clock, inputs, ...(counter ? { counter } : {}) };
    withScheduleErrors(() => checkPhases(options));
    return {
      tokenizer: counter?.name ?? 'server',
      start: listener => withScheduleErrors(() => startLoad({ ...options, ...listener })),
      openInputs: async () => (description.kind === 'trace' ? undefined : inputs),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openWorkerLoad(
  plan: LoadPlan,
  workers: number,
  inputs: InputsDescription,
  use: TokenizerUse,
  clock: Clock,
): Promise<ReadyLoad> {
  const { file } = plan.inputs;
  await openPlannedEndpoint(plan);
  const tokenizer = use.writer ?? use.counter;
  // Errors are reported before any thread starts.
  if (tokenizer !== undefined) await withTokenizerErrors(tokenizer, () => openTokenizer(tokenizer));
  if (file !== undefined) await checkInputFile(file);
  const options = {
    ...describeLoad(plan),
    ...(tokenizer === undefined ? {} : { tokenizer }),
    countsTokens: use.counter !== undefined,
    inputs,
    workers,
    clock,
  };
  const threads = await withThreadErrors(workers, () =>
    withInputErrors(file, () => openWorkers(options).catch(rethrowScheduleError)),
  );
  return {
    tokenizer: threads.tokenizer,
    start: listener => threads.start(listener),
    openInputs: async () =>
      inputs.kind === 'trace'
        ? undefined
        : openInputs(inputs, use.writer === undefined ? undefined : await openTokenizer(use.writer)),
    close: () => threads.close(),
  };
}

async function withThreadErrors<T>(workers: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw new PlanError('workers', error.message, workers);
  }
}

/** Throws `PlanError` unless the file is regular, or a folder: every worker thread reads it, so it must not be a pipe. */
async function checkInputFile(file: string): Promise<void> {
  const stats = await withInputErrors(file, () => stat(file));
  if (!stats.isFile() && !stats.isDirectory())
    throw new PlanError(
      'inputs.file',
      'not a regular file; worker threads must be able to read the file repeatedly',
      file,
    );
}

/** Creates the part of the load description that does not depend on the number of threads. */
export function describeLoad(plan: LoadPlan): Omit<LoadDescription, 'inputs'> {
  const { request, profiling, warmup, cancellation, inputs, seed } = plan;
  return {
    endpoint: request.endpoint,
    target: {
      urls: request.urls,
      model: request.models.length === 1 ? request.models[0]! : request.models,
      ...(request.modelSelection === undefined ? {} : { modelSelection: request.modelSelection }),
      ...(request.path === undefined ? {} : { path: request.path }),
      streaming: request.streaming,
      headers: request.headers,
      ...(request.sessionHeader === undefined ? {} : { sessionHeader: request.sessionHeader }),
      ...(request.apiKey === undefined ? {} : { apiKey: request.apiKey }),
      extraInputs: request.extraInputs,
      legacyMaxTokens: request.legacyMaxTokens,
      ...(plan.tokenCount === 'server' ? { includeUsage: true } : {}),
      ...(request.chunkUsage ? { chunkUsage: true } : {}),
      ...(request.format ? { format: request.format } : {}),
    },
    profiling,
    ...(warmup ? { warmup } : {}),
    seed,
    ...(plan.shard ? { shard: plan.shard } : {}),
    ...(inputs.cacheBust === undefined ? {} : { cacheBust: inputs.cacheBust }),
    ...describeCount(plan),
    ...(cancellation ? { cancellation } : {}),
    ...(request.timeoutSeconds === undefined ? {} : { timeoutS: request.timeoutSeconds }),
    connectionReuse: request.connectionReuse,
    keepRaw: plan.exportLevel === 'raw',
    keepText: plan.exportOutputs === true,
    tls: request.tls,
  };
}

/** Describes the count of input tokens. */
function describeCount({ inputs }: LoadPlan): Pick<LoadDescription, 'appliesChatTemplate'> {
  return inputs.appliesChatTemplate ? { appliesChatTemplate: true } : {};
}

function withScheduleErrors<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    return rethrowScheduleError(error);
  }
}

/**
 * Converts the `RangeError` that the load generator throws if a schedule does not fit the inputs to
 * `PlanError`. Its message begins with the name of the option if a fixed schedule or the number of shards is the cause.
 */
function rethrowScheduleError(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  const [, field, reason] = /^(fixedSchedule|shard):\s*(.*)$/s.exec(error.message) ?? [];
  if (reason === undefined) throw new PlanError('inputs', error.message);
  throw new PlanError(field === 'shard' ? 'shard' : 'inputs.fixedSchedule', reason);
}
