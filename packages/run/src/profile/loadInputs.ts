import { open } from 'node:fs/promises';
import { InputError, type InputsDescription, type Sampling, type Spread } from '@org/loadgen';
import { RunInputError } from '@org/record';

export const DATASET_TYPES = ['single_turn', 'multi_turn', 'mooncake_trace'] as const;
export type DatasetType = (typeof DATASET_TYPES)[number];

/** Where prompts come from, checked. Lengths are tokens, delays ms. */
export interface InputOptions {
  readonly inputTokens: Spread;
  readonly outputTokens?: Spread;
  readonly turns?: Spread;
  readonly turnDelayMs?: Spread;
  readonly sharedSystemTokens?: number;
  readonly entries?: number;
  /** Absolute path of a file that takes the place of synthetic prompts. */
  readonly file?: string;
  readonly datasetType?: DatasetType;
  readonly sampling: Sampling;
  readonly fixedSchedule: boolean;
  readonly startMs?: number;
  readonly endMs?: number;
}

/** The inputs as data, which any thread can open. Throws `RunInputError`. */
export async function describeInputs(options: InputOptions, seed: number): Promise<InputsDescription> {
  const { file, sampling, fixedSchedule, datasetType, startMs, endMs, ...synthetic } = options;
  if (file === undefined) return { kind: 'synthetic', ...synthetic, seed };
  const type = datasetType ?? (await inputTold(file, () => typeOf(file)));
  if (type !== 'mooncake_trace') return { kind: 'file', path: file, sampling, seed };
  const bounds = { ...optional('startMs', startMs), ...optional('endMs', endMs) };
  return { kind: 'trace', path: file, seed, sampling, ...bounds };
}

/** What is wrong with inputs, which may be those of a file, is a mistake of the user. */
export async function inputTold<T>(file: string | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const isExpected =
      error instanceof InputError ||
      error instanceof RangeError ||
      (error as NodeJS.ErrnoException).syscall !== undefined;
    if (!isExpected) throw error;
    const { message } = error as Error;
    throw new RunInputError(
      file === undefined
        ? `cannot make the inputs: ${message}`
        : message.startsWith(file)
          ? `--input-file: ${message}`
          : `--input-file is ${JSON.stringify(file)}: ${message.replace(/, (?:open|read)\b.*$/, '')}`,
    );
  }
}

const FIRST_BYTES = 65_536;

/** A trace says how long prompts are, not what they say. */
async function typeOf(file: string): Promise<DatasetType> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    const line = buffer.toString('utf8', 0, bytesRead).trimStart().split('\n', 1)[0]!;
    return /"(?:input_length|hash_ids)"\s*:/.test(line) ? 'mooncake_trace' : 'single_turn';
  } finally {
    await handle.close();
  }
}

function optional<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}
