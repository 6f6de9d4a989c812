import { describeSystemError } from '@org/core';
import { InputError, type InputsDescription } from '@org/loadgen';
import { PlanError } from '../plan/planError.ts';
import type { InputPlan } from '../plan/profilePlan.ts';
import { detectDataset } from './dataset.ts';

/**
 * Creates a serializable description of the inputs, from which any thread can open them. Throws `PlanError` if the
 * input file cannot be read.
 */
export async function describeInputs(plan: InputPlan, seed: number): Promise<InputsDescription> {
  const { file, sampling, fixedSchedule, datasetType, startMs, endMs, ...synthetic } = plan;
  const { systemPrompt, outputTokens } = synthetic;
  const system = systemPrompt === undefined ? {} : { systemPrompt };
  if (file === undefined) return { kind: 'synthetic', ...synthetic, seed };
  const type = datasetType ?? (await withInputErrors(file, async () => detectDataset(file))).type;
  if (type !== 'mooncake_trace')
    return {
      kind: 'file',
      path: file,
      sampling,
      seed,
      allowsTurns: type === 'multi_turn',
      ...system,
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
  return {
    kind: 'trace',
    path: file,
    seed,
    sampling,
    ...system,
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
  };
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

/** Formats the text after the file name in a message: `:LINE: problem`, or a clause. */
function formatFileProblem(text: string): string {
  return text.replace(/^:(\d+):/, 'line $1:').trim();
}
