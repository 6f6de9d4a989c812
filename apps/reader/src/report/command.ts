import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  compareRuns,
  type FindingOptions,
  matchVariations,
  type OpenOptions,
  openCompleteRuns,
  openRun,
  openRunSet,
  type Run,
  type RunSet,
  readRepeats,
} from '@org/analysis';
import { findRepeatedRuns } from '@org/analysis/files';
import { stringifyJson, writeFileAtomic } from '@org/formats/write';
import { extendBuiltInServers } from '@org/servers';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { toPrintable, UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  flag,
  type Io,
  isSet,
  option,
  type RawOptions,
  readList,
} from '@org/terminal/program';
import { compareVariations } from '../compare/sweeps.ts';
import { FINDING_OPTIONS, parseFindingOptions } from '../findingOptions.ts';
import { buildSweepData, METRICS } from '../sweep/model/buildSweepData.ts';
import type { SweepData } from '../sweep/model/sweepData.ts';
import { buildRunSetDocument, type RunSetDocument } from '../sweep/runSetDocument.ts';
import { findRunPages, PAGE_NAME, writeRunPages } from '../sweep/writeRunPages.ts';
import { readPictureStyle } from './assets.ts';
import { buildReport } from './buildReport.ts';
import { buildRunComparison, buildSweepComparison } from './comparisonTable.ts';
import type { ComparisonTable, ReportDocument } from './document.ts';
import { limitHeapGrowth } from './heapGrowth.ts';
import { renderPage } from './page.ts';
import { listPictures } from './pictures/listPictures.ts';
import { listSweepPictures } from './pictures/listSweepPictures.ts';
import type { Picture } from './pictures/picture.ts';
import { type PictureFolders, writePictures } from './pictures/writePictures.ts';
import { writeSeveralRuns } from './severalRuns.ts';

/** The command `servelens read report`. */
export const reportCommand: Command = {
  arguments: [
    {
      name: 'run',
      placeholder: 'RUN',
      description:
        'Folder of a run, of a sweep or of repeated runs, or one of its files; for several, one page compares each with the first',
      isList: true,
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
          defaultText: `${PAGE_NAME} in the folder of the run; comparison_report.html for several`,
        }),
        svg: option('FOLDER', 'Also write each chart as SVG to this folder'),
        png: option('FOLDER', 'Also write each chart as PNG to this folder'),
        'run-pages': flag('Also write the page of each run of a sweep or of repeated runs'),
        json: flag('Print the paths of the written files as JSON'),
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
      command: 'servelens read report runs/a runs/b runs/c -o runs.html',
      description: 'Write one page about three runs, compared with the first',
    },
    {
      command: 'servelens read report artifacts/run1 --png charts',
      description: 'Write the charts as pictures, too, for slides and comments',
    },
    {
      command: 'servelens read report artifacts/sweep1 --run-pages',
      description: 'Write the page of a sweep, and the pages of its runs that it links to',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the run cannot be read, the page cannot be written, or the arguments are invalid'],
  ],
  run,
};

/** Writes the page of a run, a sweep or several runs, and its charts if wanted. Prints their paths, and returns 0. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  limitHeapGrowth();
  const servers = await readServersOption(raw, io);
  const folders = readFolders(raw);
  const [first = '', ...others] = readList(raw, 'run');
  const files =
    others.length > 0
      ? await writeSeveralRuns(raw, folders, { servers })
      : await writeSingle({ ...raw, run: first }, folders, { servers });
  printPaths(files, raw, io);
  return 0;
}

/** Writes the page of a run, a sweep or repeated runs. Returns the paths of the written files. */
async function writeSingle(
  raw: RawOptions,
  folders: PictureFolders,
  { servers = [] }: OpenOptions,
): Promise<readonly string[]> {
  const options = parseFindingOptions(raw);
  // Determine the output path first, so that errors are reported before a large run is read.
  const file = typeof raw.output === 'string' ? raw.output : await findOutputFile(String(raw.run));
  const runSet = await openRunSet(String(raw.run), { servers });
  if (!runSet && raw['run-pages'] === true)
    throw new UsageError(
      `--run-pages writes the pages of several runs; expected the folder of a sweep or of repeated runs, not ${JSON.stringify(raw.run)}`,
    );
  const report = runSet
    ? await buildSetDocument(runSet, file, raw, { ...options, servers })
    : await buildDocument(raw, options, { servers });
  const result = await writeFileAtomic(file, renderPage(report));
  if (!result.ok) throw new UsageError(result.message);
  const pictures =
    Object.keys(folders).length === 0 ? [] : await writePictures(drawPictures(report), folders);
  return [file, ...pictures];
}

/** Prints paths, one per line or as JSON. */
function printPaths(paths: readonly string[], raw: RawOptions, io: Io): void {
  if (isSet(raw, 'json')) io.stdout.write(`${stringifyJson({ files: paths.map(path => ({ path })) }, 2)}\n`);
  else if (!isSet(raw, 'quiet')) for (const path of paths) io.stdout.write(`${toPrintable(path)}\n`);
}

function readFolders({ svg, png }: RawOptions): PictureFolders {
  return { ...(typeof svg === 'string' && { svg }), ...(typeof png === 'string' && { png }) };
}

function drawPictures(report: ReportDocument | RunSetDocument): Picture[] {
  const style = readPictureStyle();
  return 'kind' in report ? listSweepPictures(report.data, style) : listPictures(report, style);
}

/** Builds the document of a sweep or of repeated runs for the page in `file`. */
async function buildSetDocument(
  runSet: RunSet,
  file: string,
  raw: RawOptions,
  options: FindingOptions & OpenOptions,
): Promise<RunSetDocument> {
  const open = options.servers ? { servers: options.servers } : {};
  const repeats = await readRepeats(runSet.name, METRICS);
  const folders = repeats.map(({ folder }) => folder);
  if (raw['run-pages'] === true) await writeRunPages(folders, options, open);
  const links = await findRunPages(folders, file);
  const servers = extendBuiltInServers(options.servers ?? []);
  const data = buildSweepData(runSet, { repeats, links, servers });
  if (raw.baseline === undefined) return buildRunSetDocument(runSet, data);
  const base = String(raw.baseline);
  const comparison = await compareSet(base, runSet.name, open);
  return { ...buildRunSetDocument(runSet, { ...data, ...(await buildBaseline(base, open)) }), comparison };
}

async function buildBaseline(name: string, open: OpenOptions): Promise<Pick<SweepData, 'base'>> {
  const runSet = await openRunSet(name, open);
  if (!runSet) return {};
  const { points } = buildSweepData(runSet, {
    repeats: await readRepeats(name, METRICS),
    servers: extendBuiltInServers(open.servers ?? []),
  });
  return { base: { name, points } };
}

/** Compares a sweep with a sweep, or repeated runs with repeated runs. */
async function compareSet(base: string, name: string, open: OpenOptions): Promise<ComparisonTable> {
  const matches = await matchVariations([base], [name]);
  if (matches)
    return buildSweepComparison(await compareVariations(matches, { base, new: name }, open, () => {}));
  const [from, to] = [await openRepeatedRuns(base, open), await openRepeatedRuns(name, open)];
  return { ...buildRunComparison(compareRuns(from, to)), base };
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
  // Only a comparison uses the timeslices of all metrics.
  const skipsUnusedSlices = raw.baseline === undefined;
  const openedRun = await openRun(String(raw.run), { ...open, skipsUnusedSlices });
  const baseline = raw.baseline === undefined ? undefined : await openRun(String(raw.baseline), open);
  return await buildReport(openedRun, baseline, options);
}

/** Returns the default path of the page: in the folder of the run, or next to its file. */
async function findOutputFile(run: string): Promise<string> {
  const stats = await stat(run).catch(() => undefined);
  if (stats?.isDirectory()) return join(run, PAGE_NAME);
  if (stats && !stats.isFile())
    throw new UsageError(
      `${JSON.stringify(run)} is not a regular file, so the page has no default path; set --output`,
    );
  return `${run.replace(/\.\w+$/, '')}_report.html`;
}
