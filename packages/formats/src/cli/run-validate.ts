import { buffer } from 'node:stream/consumers';
import { validate } from '../validate.ts';
import { filesOf } from './files.ts';
import { humanReport } from './human.ts';
import { githubReport, jsonReport, junitReport } from './machine.ts';
import type { Outcome } from './outcome.ts';

/** How findings are printed. */
export type ReportFormat = 'human' | 'json' | 'junit' | 'github';

export interface RunValidateOptions {
  /** Files, folders with exports in them, and `-` for standard input. */
  readonly files: readonly string[];
  /** `human` when absent. */
  readonly format?: ReportFormat;
  /** Also report unknown fields, and let warnings fail. */
  readonly strict?: boolean;
  /** Whether the human report is in colour. Off when absent. */
  readonly color?: boolean;
  /** Where the report goes; standard output when absent. */
  readonly write?: (text: string) => void;
}

/**
 * What `formats` and `servelens validate` do: checks files and prints a report. Gives the exit code: 0 when all
 * are valid, 1 when one is not or there is none.
 */
export async function runValidate(options: RunValidateOptions): Promise<0 | 1> {
  const { strict = false, format = 'human', color = false } = options;
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  const files = await filesOf(options.files);
  const outcomes: Outcome[] = [];
  for (const file of files)
    outcomes.push({ file, validation: await validate(await inputOf(file), { strict }) });
  write(reportText(outcomes, format, strict, color));
  if (files.length === 0 && format === 'human') write(`no exports in ${options.files.join(', ')}\n`);
  return outcomes.length > 0 && outcomes.every(({ validation }) => validation.valid) ? 0 : 1;
}

/** A name that is not taken for a text: a path with its folder, or the bytes of standard input. */
async function inputOf(file: string): Promise<URL | Uint8Array> {
  if (file === '-') return await buffer(process.stdin);
  const { pathToFileURL } = await import('node:url');
  return pathToFileURL(file);
}

function reportText(
  outcomes: readonly Outcome[],
  format: ReportFormat,
  strict: boolean,
  color: boolean,
): string {
  switch (format) {
    case 'json':
      return jsonReport(outcomes);
    case 'junit':
      return junitReport(outcomes, strict);
    case 'github':
      return githubReport(outcomes);
    default:
      return humanReport(outcomes, color);
  }
}
