import { parseArgs } from 'node:util';
import type { ReportFormat } from './options.ts';
import { runValidate } from './validateFiles.ts';

const usage = `Usage: formats [--json | --junit | --github] [--strict] FILE...

Checks exports of servelens and AIPerf: server metrics (JSON, JSONL, CSV,
Parquet) and profile exports. FILE is a path or a URL; a folder stands for the
exports in it and below it, - for standard input.

  --json     everything, for programs
  --junit    test results, for CI systems
  --github   annotations of GitHub Actions
  --strict   report unknown fields, and let warnings fail
  --help     this text

Exit code: 0 all valid, 1 not, 2 wrong usage.
`;

const formats = ['json', 'junit', 'github'] as const;

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
    process.stdout.write(usage);
    return 0;
  }
  const chosen: ReportFormat[] = formats.filter(format => values[format]);
  if (positionals.length === 0) throw new TypeError('no FILE given');
  if (chosen.length > 1) throw new TypeError(`--${chosen.join(' and --')} exclude each other`);
  const color = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  return runValidate({
    files: positionals,
    format: chosen[0] ?? 'human',
    strict: values.strict ?? false,
    color,
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`formats: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
