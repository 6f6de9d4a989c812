import { resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import {
  analyzeTrace,
  type DatasetType,
  findBlockTokens,
  InputError,
  isTraceType,
  readTrace,
  type TraceAnalysis,
} from '@org/loadgen';
import { detectDataset } from '@org/run';
import { UsageError } from '@org/terminal';

/** Options of {@link readTraceAnalysis}. */
export interface TraceAnalysisOptions {
  /** Format of the trace; detected by default. */
  readonly type?: DatasetType;
  /** Number of tokens that a hash id stands for; determined by the format by default. */
  readonly blockTokens?: number;
}

/** Reads and analyzes a trace. Throws `UsageError` if the file cannot be read, or is not a trace. */
export async function readTraceAnalysis(
  file: string,
  cwd: string,
  options: TraceAnalysisOptions,
): Promise<TraceAnalysis> {
  const path = resolve(cwd, file);
  try {
    const type = options.type ?? detectDataset(path).type;
    if (!isTraceType(type)) throw new InputError(`the file has the format ${type}; expected a trace`);
    const entries = await readTrace(path, type);
    if (entries.length === 0) throw new InputError('the file has no requests');
    return analyzeTrace(entries, options.blockTokens ?? findBlockTokens(type));
  } catch (error) {
    throw createTraceError(file, path, error);
  }
}

/** Converts an expected error to a `UsageError` that names the file. */
function createTraceError(file: string, path: string, error: unknown): unknown {
  const isSystemError = (error as NodeJS.ErrnoException).syscall !== undefined;
  if (!(error instanceof InputError) && !isSystemError) return error;
  const problem = isSystemError
    ? describeSystemError(error as NodeJS.ErrnoException)
    : (error as InputError).message.replace(`${path}:`, 'line ');
  return new UsageError(`invalid trace ${JSON.stringify(file)}: ${problem}`);
}
