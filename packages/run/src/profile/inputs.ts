import { describeSystemError } from '@org/core';
import {
  type DatasetType,
  type EndpointName,
  hasMessages,
  InputError,
  type InputsDescription,
  isTraceType,
  type Sampling,
  type TraceType,
} from '@org/loadgen';
import { PlanError } from '../plan/planError.ts';
import type { InputPlan } from '../plan/profilePlan.ts';
import { detectDataset } from './dataset.ts';

/**
 * Creates a serializable description of the inputs; any thread can open them from it. Contents of a file that the
 * API cannot send are refused when they are opened. Throws `PlanError` if the input file cannot be read.
 */
export async function describeInputs(
  plan: InputPlan,
  seed: number,
  endpoint?: EndpointName,
): Promise<InputsDescription> {
  const { file, sampling, fixedSchedule, datasetType, startMs, endMs, ...synthetic } = plan;
  if (file === undefined) {
    const { appliesChatTemplate, ...others } = synthetic;
    const reservesTemplate = appliesChatTemplate === true && hasMessages(endpoint ?? 'chat');
    return {
      kind: 'synthetic',
      ...others,
      sampling,
      seed,
      ...(reservesTemplate ? { appliesChatTemplate } : {}),
    };
  }
  const type = datasetType ?? (await withInputErrors(file, async () => detectDataset(file))).type;
  const { systemPrompt } = plan;
  const maxDelayMs = plan.delayCapSeconds === undefined ? undefined : plan.delayCapSeconds * 1000;
  const source = {
    path: file,
    sampling,
    seed,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(maxDelayMs === undefined ? {} : { maxDelayMs }),
  };
  if (isTraceType(type))
    return {
      kind: 'trace',
      type,
      ...source,
      ...(startMs === undefined ? {} : { startMs }),
      ...(endMs === undefined ? {} : { endMs }),
      ...(plan.blockTokens === undefined ? {} : { blockTokens: plan.blockTokens }),
      ...(plan.synthesis === undefined ? {} : { synthesis: plan.synthesis }),
      ...(plan.replay === undefined ? {} : { replay: plan.replay }),
      ...(plan.corpus === undefined ? {} : { corpus: plan.corpus }),
      ...(plan.outputTokens === undefined ? {} : { outputTokens: plan.outputTokens }),
    };
  return describeFile(type, plan, source, endpoint === undefined ? {} : { endpoint });
}

/** Creates a description of the inputs of a file that is not a trace. */
function describeFile(
  type: Exclude<DatasetType, TraceType>,
  { outputTokens, entries, stripsImages, batchSizes, rows }: InputPlan,
  source: FileSource,
  api: { readonly endpoint?: EndpointName },
): InputsDescription {
  const lengths = outputTokens === undefined ? {} : { outputTokens };
  switch (type) {
    case 'single_turn':
    case 'multi_turn':
      return {
        kind: 'file',
        ...source,
        ...api,
        ...lengths,
        allowsTurns: type === 'multi_turn',
        ...(stripsImages ? { stripsImages } : {}),
      };
    case 'random_pool':
      return {
        kind: 'pool',
        ...source,
        ...api,
        ...lengths,
        ...(entries === undefined ? {} : { entries }),
        ...(batchSizes && { batchSizes }),
      };
    case 'raw_payload':
      return { kind: 'payloads', ...source, ...api };
    case 'inputs_json':
      return { kind: 'inputsJson', ...source };
    case 'dag_jsonl':
      return { kind: 'dag', ...source, ...lengths };
    case 'rows': {
      const { name: _, ...selection } = rows!;
      return { kind: 'rows', ...source, ...api, ...selection, ...lengths };
    }
    case 'sharegpt':
      return { kind: 'shareGpt', ...source, ...lengths };
  }
}

/** The properties that all inputs of files share. */
interface FileSource {
  readonly path: string;
  readonly sampling: Sampling;
  readonly seed: number;
  readonly systemPrompt?: string;
  readonly maxDelayMs?: number;
}

/** Converts errors about the inputs, or about the input file, to `PlanError`. */
export async function withInputErrors<T>(file: string | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const isExpected =
      error instanceof InputError ||
      error instanceof RangeError ||
      (error as NodeJS.ErrnoException).syscall !== undefined;
    if (!isExpected) throw error;
    const { message } = error as Error;
    if (file === undefined) throw new PlanError('inputs', message);
    if (message.startsWith(file))
      throw new PlanError('inputs.file', formatFileProblem(message.slice(file.length)), file);
    throw new PlanError('inputs.file', describeSystemError(error).replace(/, (?:open|read)\b.*$/, ''), file);
  }
}

/**
 * Formats the text after the path in a message: `:LINE: problem`, `/NAME:LINE: problem` or `/NAME problem` in a folder,
 * `: problem`, or a clause.
 */
function formatFileProblem(text: string): string {
  return text
    .replace(/^(?:[\\/]([^:]+))?:(\d+):/, (_, name = '', line) => `${name} line ${line}:`)
    .replace(/^(?:: |[\\/])/, '')
    .trim();
}
