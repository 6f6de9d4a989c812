import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FindingOptions,
  matchVariations,
  type OpenOptions,
  openCompleteRuns,
  openRun,
  openRunSet,
  type Run,
  type RunSet,
} from '@org/analysis';
import { findRepeatedRuns } from '@org/analysis/files';
import { writeFileAtomic } from '@org/formats/write';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { toPrintable, UsageError } from '@org/terminal';
import { type Command, type CommandContext, option, type RawOptions } from '@org/terminal/program';
import { compareVariations } from '../compare/sweeps.ts';
import { FINDING_OPTIONS, parseFindingOptions } from '../findingOptions.ts';
import { buildRunSetDocument, type RunSetDocument } from '../sweep/runSetDocument.ts';
import { readPictureStyle } from './assets.ts';
import { buildReport } from './buildReport.ts';
import { buildRunComparison, buildSweepComparison } from './comparisonTable.ts';
import type { ComparisonTable, ReportDocument } from './document.ts';
import { renderPage } from './page.ts';
import { listPictures } from './pictures/listPictures.ts';
import { type PictureFolders, writePictures } from './pictures/writePictures.ts';

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
      options: {
        baseline: option(
          'RUN',
          'Run, sweep or repeated runs to compare with: the folder, or a file of a run',
        ),
      },
    },
    { title: 'Findings', options: { ...FINDING_OPTIONS, ...SERVERS_OPTION } },
    {
      title: 'Output',
      options: {
        output: option('FILE', 'HTML file to write', {
          aliases: ['o'],
          defaultText: `${DEFAULT_FILE_NAME} in the folder of the run`,
        }),
        svg: option('FOLDER', 'Also write each chart of a run as SVG to this folder'),
        png: option('FOLDER', 'Also write each chart of a run as PNG to this folder'),
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
    {
      command: 'servelens read report artifacts/run1 --png charts',
      description: 'Write the charts as pictures, too, for slides and comments',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the run cannot be read, the page cannot be written, or the arguments are invalid'],
  ],
  run,
};

/** Writes the page of a run, a sweep or repeated runs, and its charts if wanted. Prints their paths, and returns 0. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const options = parseFindingOptions(raw);
  const servers = await readServersOption(raw, io);
  // Determine the output path first, so that errors are reported before a large run is read.
  const file = typeof raw.output === 'string' ? raw.output : await findOutputFile(String(raw.run));
  const folders = readFolders(raw);
  const runSet = await openRunSet(String(raw.run), { servers });
  if (runSet && Object.keys(folders).length > 0)
    throw new UsageError('--svg and --png write the charts of one run; expected the folder of one run');
  const report = runSet
    ? await buildSetDocument(runSet, raw, { servers })
    : await buildDocument(raw, options, { servers });
  const result = await writeFileAtomic(file, renderPage(report));
  if (!result.ok) throw new UsageError(result.message);
  const pictures =
    'kind' in report ? [] : await writePictures(listPictures(report, readPictureStyle()), folders);
  for (const path of [file, ...pictures]) io.stdout.write(`${toPrintable(path)}\n`);
  return 0;
}

function readFolders({ svg, png }: RawOptions): PictureFolders {
  return { ...(typeof svg === 'string' && { svg }), ...(typeof png === 'string' && { png }) };
}

async function buildSetDocument(
  runSet: RunSet,
  { baseline }: RawOptions,
  open: OpenOptions,
): Promise<RunSetDocument> {
  const document = buildRunSetDocument(runSet);
  return baseline === undefined
    ? document
    : { ...document, comparison: await compareSet(String(baseline), runSet.name, open) };
}

/** Compares a sweep with a sweep, or repeated runs with repeated runs. */
async function compareSet(base: string, name: string, open: OpenOptions): Promise<ComparisonTable> {
  const matches = await matchVariations([base], [name]);
  if (matches)
    return buildSweepComparison(await compareVariations(matches, { base, new: name }, open, () => {}));
  const [from, to] = [await openRepeatedRuns(base, open), await openRepeatedRuns(name, open)];
  return { ...buildRunComparison(from, to), base };
}

async function openRepeatedRuns(path: string, open: OpenOptions): Promise<readonly Run[]> {
  const { runs } = await openCompleteRuns(await findRepeatedRuns(path), open);
  if (runs.length === 0)
    throw new UsageError(`cannot compare ${JSON.stringify(path)}: expected a folder with complete runs`);
  return runs;
}

async function buildDocument(
  raw: RawOptions,
  options: FindingOptions,
  open: OpenOptions,
): Promise<ReportDocument> {
  const openedRun = await openRun(String(raw.run), open);
  const baseline = raw.baseline === undefined ? undefined : await openRun(String(raw.baseline), open);
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
