import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FindingOptions, openRun, openRunSet } from '@org/analysis';
import { writeFileAtomic } from '@org/formats/write';
import { toPrintable, UsageError } from '@org/terminal';
import { type Command, type CommandContext, option, type RawOptions } from '@org/terminal/program';
import { FINDING_OPTIONS, parseFindingOptions } from '../findingOptions.ts';
import { buildRunSetDocument } from '../sweep/runSetDocument.ts';
import { buildReport } from './buildReport.ts';
import type { ReportDocument } from './document.ts';
import { renderPage } from './page.ts';

const DEFAULT_FILE_NAME = 'server_metrics_report.html';

/** The command `servelens read report`. */
export const reportCommand: Command = {
  arguments: [
    {
      name: 'run',
      placeholder: 'RUN',
      description: 'Folder of a run, of a sweep or of repeated runs, or one of its files',
    },
  ],
  optionGroups: [
    {
      title: 'Comparison',
      options: { baseline: option('RUN', 'Run to compare with: its folder, or one of its files') },
    },
    { title: 'Findings', options: FINDING_OPTIONS },
    {
      title: 'Output',
      options: {
        output: option('FILE', 'HTML file to write', {
          aliases: ['o'],
          defaultText: `${DEFAULT_FILE_NAME} in the folder of the run`,
        }),
      },
    },
  ],
  examples: [
    {
      command: 'servelens read report artifacts/run1',
      description: 'Write the report of a run to its folder',
    },
    {
      command: 'servelens read report artifacts/run2 --baseline artifacts/run1 -o run2.html',
      description: 'Include a comparison with an earlier run',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the run cannot be read, the page cannot be written, or the arguments are invalid'],
  ],
  run,
};

/** Writes the page of a run, a sweep or repeated runs, and prints its path. Returns 0. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const options = parseFindingOptions(raw);
  // Determine the output path first, so that errors are reported before a large run is read.
  const file = typeof raw.output === 'string' ? raw.output : await findOutputFile(String(raw.run));
  const runSet = await openRunSet(String(raw.run));
  if (runSet && raw.baseline !== undefined)
    throw new UsageError(
      '--baseline requires a single run; to compare repeated runs, use servelens read compare',
    );
  const page = renderPage(runSet ? buildRunSetDocument(runSet) : await buildDocument(raw, options));
  const result = await writeFileAtomic(file, page);
  if (!result.ok) throw new UsageError(result.message);
  io.stdout.write(`${toPrintable(file)}\n`);
  return 0;
}

async function buildDocument(raw: RawOptions, options: FindingOptions): Promise<ReportDocument> {
  const openedRun = await openRun(String(raw.run));
  const baseline = raw.baseline === undefined ? undefined : await openRun(String(raw.baseline));
  return await buildReport(openedRun, baseline, options);
}

/** Returns the default path of the page: in the folder of the run, or next to its file. */
async function findOutputFile(run: string): Promise<string> {
  const stats = await stat(run).catch(() => undefined);
  if (stats?.isDirectory()) return join(run, DEFAULT_FILE_NAME);
  if (stats && !stats.isFile())
    throw new UsageError(
      `${JSON.stringify(run)} is not a regular file, so the page has no default path; set --output`,
    );
  return `${run.replace(/\.\w+$/, '')}_report.html`;
}
