import { type ReportFormat, runValidate } from '@org/formats';
import { shouldUseColor } from '@org/terminal';
import type { Argv } from 'yargs';
import type { Io } from './io.ts';

const REPORTS = ['json', 'junit', 'github'] as const;

/** Declares the arguments and options of `servelens validate` on a yargs command. */
export function declareValidate(yargs: Argv): Argv {
  return yargs
    .positional('files', {
      array: true,
      type: 'string',
      demandOption: true,
      describe: 'Exports of servelens or AIPerf, folders with exports, or - for standard input',
    })
    .options({
      json: { boolean: true, describe: 'Report everything, for programs', conflicts: ['junit', 'github'] },
      junit: { boolean: true, describe: 'Report test results, for CI systems', conflicts: ['github'] },
      github: { boolean: true, describe: 'Report annotations, for GitHub Actions' },
      strict: { boolean: true, default: false, describe: 'Report unknown fields, and let warnings fail' },
    })
    .example('$0 validate artifacts/run1', 'all exports of a run')
    .example('$0 validate --json server_metrics_export.json', 'for a program');
}

/** `servelens validate`: 0 when all files are valid, 1 when one is not. */
export async function validateFiles(raw: Readonly<Record<string, unknown>>, io: Io): Promise<number> {
  const format: ReportFormat = REPORTS.find(report => raw[report] === true) ?? 'human';
  return runValidate({
    files: raw.files as string[],
    format,
    strict: raw.strict === true,
    color: shouldUseColor(io.stdout, io.env),
    write: text => void io.stdout.write(text),
  });
}
