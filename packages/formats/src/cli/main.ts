import { parseArgs } from 'node:util';
import type { ReportFormat } from './report.ts';
import { runValidate } from './runValidate.ts';

const USAGE = `Usage: formats [--json | --junit | --github] [--strict] FILE...

Validate exports of Servelens and AIPerf: server metrics (JSON, JSONL, CSV,
Parquet) and profile exports.

FILE is a path, an http or https URL, a folder (all exports in the folder and
its subfolders), or - for standard input.

Options:
  --json      print all findings as JSON
  --junit     print a JUnit test report
  --github    print GitHub Actions annotations
  --strict    report unknown fields, and treat warnings as errors
  -h, --help  print this help

Exit codes: 0 all files are valid, 1 a file is invalid, 2 usage error.
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
  if (positionals.length === 0) throw new TypeError('no FILE given');
  if (formats.length > 1) throw new TypeError(`--${formats.join(' and --')} are mutually exclusive`);
  const color = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  return runValidate({
    files: positionals,
    format: formats[0] ?? 'human',
    strict: values.strict ?? false,
    color,
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`formats: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}
