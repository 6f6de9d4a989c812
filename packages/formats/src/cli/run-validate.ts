import { buffer } from 'node:stream/consumers';
import { validate } from '../validate.ts';
import { filesOf } from './files.ts';
import { humanReport } from './human.ts';
import { githubReport, jsonReport, junitReport } from './machine.ts';
import type { ReportFormat, RunValidateOptions } from './options.ts';
import type { Outcome } from './outcome.ts';

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
