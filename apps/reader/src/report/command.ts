import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FindingOptions, openRun, openSeveral } from '@org/analysis';
import { writeFileAtomic } from '@org/formats/write';
import { toPrintable, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import { FINDING_OPTIONS, findingOptions } from '../findingOptions.ts';
import type { ReaderIo } from '../io.ts';
import { texts } from '../optionValues.ts';
import { severalDocument } from '../sweep/page.ts';
import { reportOf } from './buildReport.ts';
import type { ReportDocument } from './document.ts';
import { reportPage } from './page.ts';

const FILE = 'server_metrics_report.html';

export function declareReport(command: Argv): Argv {
  return command
    .positional('run', {
      type: 'string',
      demandOption: true,
      describe: 'Folder of a run, a sweep or repeated runs, or one of its files',
    })
    .option('baseline', { type: 'string', requiresArg: true, describe: 'A run to compare with' })
    .option('output', {
      alias: 'o',
      type: 'string',
      requiresArg: true,
      describe: `The page; ${FILE} in the run's folder when absent`,
    })
    .options(FINDING_OPTIONS)
    .example('$0 report artifacts/run1', '')
    .example('$0 report artifacts/run2 --baseline artifacts/run1 -o run2.html', '');
}

/** Writes the page of a run and says where; 0. */
export async function report(raw: Readonly<Record<string, unknown>>, io: ReaderIo): Promise<number> {
  const options = findingOptions(texts(raw['no-finding']), texts(raw.threshold));
  // Before a long run is read for nothing.
  const file = typeof raw.output === 'string' ? raw.output : await besides(String(raw.run));
  const several = await openSeveral(String(raw.run));
  if (several && raw.baseline !== undefined)
    throw new UsageError('--baseline is for a single run; compare takes folders of repeated runs');
  const page = reportPage(several ? severalDocument(several) : await oneRun(raw, options));
  const written = await writeFileAtomic(file, page);
  if (!written.ok) throw new UsageError(written.message);
  io.stdout.write(`${toPrintable(file)}\n`);
  return 0;
}

async function oneRun(
  raw: Readonly<Record<string, unknown>>,
  options: FindingOptions,
): Promise<ReportDocument> {
  const run = await openRun(String(raw.run));
  const base = raw.baseline === undefined ? undefined : await openRun(String(raw.baseline));
  return await reportOf(run, base, options);
}

/** A place for the page; beside a pipe there is none. */
async function besides(run: string): Promise<string> {
  const found = await stat(run).catch(() => undefined);
  if (found?.isDirectory()) return join(run, FILE);
  if (found && !found.isFile())
    throw new UsageError(`${JSON.stringify(run)} is no file, so --output has to say where the page goes`);
  return `${run.replace(/\.\w+$/, '')}_report.html`;
}
