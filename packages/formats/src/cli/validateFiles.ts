import { pathToFileURL } from 'node:url';
import { type Input, isUrl } from '../source/openSource.ts';
import { validate } from '../validate/validate.ts';
import { expandFiles } from './exportFiles.ts';
import { formatHumanReport } from './humanReport.ts';
import { formatGithubReport, formatJsonReport, formatJunitReport } from './machineReports.ts';
import type { ReportFormat, RunValidateOptions } from './options.ts';
import type { Outcome } from './outcome.ts';

/** Implements `runValidate`. */
export async function validateFiles(options: RunValidateOptions): Promise<0 | 1> {
  const { strict = false, format = 'human', color = false } = options;
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  if (options.files.length === 0) throw new TypeError('no files given; expected at least one');
  const files = await expandFiles(options.files);
  const outcomes: Outcome[] = [];
  for (const file of files) outcomes.push({ file, validation: await validate(toInput(file), { strict }) });
  write(formatReport(outcomes, format, strict, color));
  return outcomes.every(({ validation }) => validation.valid) ? 0 : 1;
}

/** Converts a path to a URL, because a string could be taken for text. */
function toInput(file: string): Input {
  if (file === '-') return process.stdin;
  return isUrl(file) ? new URL(file) : pathToFileURL(file);
}

function formatReport(
  outcomes: readonly Outcome[],
  format: ReportFormat,
  strict: boolean,
  color: boolean,
): string {
  switch (format) {
    case 'json':
      return formatJsonReport(outcomes);
    case 'junit':
      return formatJunitReport(outcomes, strict);
    case 'github':
      return formatGithubReport(outcomes);
    default:
      return formatHumanReport(outcomes, color);
  }
}
