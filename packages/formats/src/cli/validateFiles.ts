import { pathToFileURL } from 'node:url';
import { type Input, isUrl } from '../source/source.ts';
import { validate } from '../validate/validate.ts';
import { filesOf } from './exportFiles.ts';
import { humanReport } from './humanReport.ts';
import { githubReport, jsonReport, junitReport } from './machineReports.ts';
import type { ReportFormat, RunValidateOptions } from './options.ts';
import type { Outcome } from './outcome.ts';

/**
 * What `formats` and `servelens validate` do: checks files and prints a report. Gives the exit code: 0 when all
 * are valid, 1 when one is not.
 *
 * @throws TypeError without files
 */
export async function runValidate(options: RunValidateOptions): Promise<0 | 1> {
  const { strict = false, format = 'human', color = false } = options;
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  if (options.files.length === 0) throw new TypeError('no files given; expected at least one');
  const files = await filesOf(options.files);
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push({ file, validation: await validate(inputOf(file), { strict }) });
  write(reportText(outcomes, format, strict, color));
  return outcomes.every(({ validation }) => validation.valid) ? 0 : 1;
}

/** A path as a URL, so that none is taken for a text. */
function inputOf(file: string): Input {
  if (file === '-') return process.stdin;
  return isUrl(file) ? new URL(file) : pathToFileURL(file);
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
