/** The `servelens-validate` command: validates export files. */

import { parseArgs } from 'node:util';
import type { ReportFormat } from './report.ts';
import { validateFiles } from './validateFiles.ts';

const USAGE = `Usage: servelens-validate [--json | --junit | --github] [--strict] FILE...

Validate exports of Servelens and AIPerf: server metrics (JSON, JSONL, CSV,
Parquet) and profile exports.

FILE is a path, an http or https URL, a folder (all exports in the folder and
its subfolders), or - for standard input.

Options:
  --json      Print JSON
  --junit     Print JUnit XML, for CI systems
  --github    Print annotations for GitHub Actions
  --strict    Report unknown fields, and fail on warnings
  -h, --help  Show this help

Exit codes:
  0  all files are valid
  1  a file is invalid
  2  a file or folder cannot be read, or invalid arguments
`;

const REPORT_FLAGS = ['json', 'junit', 'github'] as const;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      junit: { type: 'boolean' },
      github: { type: 'boolean' },
      strict: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const formats: ReportFormat[] = REPORT_FLAGS.filter(flag => values[flag]);
  if (positionals.length === 0)
    throw new TypeError('missing FILE; expected at least one file, folder or URL');
  if (formats.length > 1) throw new TypeError(`cannot use both --${formats[0]} and --${formats[1]}`);
  const color = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  const { exitCode, report } = await validateFiles({
    files: positionals,
    format: formats[0] ?? 'human',
    strict: values.strict ?? false,
    color,
  });
  process.stdout.write(report);
  return exitCode;
}

function describeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The message of parseArgs continues with advice about arguments that start with a dash.
  const [, option] = /^Unknown option '(.+?)'/.exec(message) ?? [];
  return code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && option ? `unknown option ${option}` : message;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`servelens-validate: ${describeError(error)}; see --help\n`);
  process.exitCode = 2;
}
