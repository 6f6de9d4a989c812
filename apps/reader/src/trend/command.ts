import { analyzeTrend, type RunTrend, type TrendGroup } from '@org/analysis';
import { writeFileAtomic } from '@org/formats/write';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { toPrintable, UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  OUTPUT_FLAGS,
  option,
  pickOptions,
  type RawOptions,
  readList,
  readNumber,
} from '@org/terminal/program';
import { printOutput, shouldPrintPaths } from '../output.ts';
import { buildTrendDocument } from './json.ts';
import { renderTrendMarkdown } from './markdown.ts';
import { renderTrendPage } from './page/trendPage.ts';
import { renderTrendScreen } from './screen.ts';
import { listProblems } from './trendText.ts';

/** The command `servelens read trend`. */
export const trendCommand: Command = {
  arguments: [
    {
      name: 'folder',
      placeholder: 'DIR',
      description: 'Folder of runs, or of one run; several are read together',
      isList: true,
    },
  ],
  optionGroups: [
    {
      title: 'Changes',
      options: {
        alpha: option('LEVEL', 'Significance level of all metrics together, from 0 to 1', { default: 0.05 }),
        'min-change': option('PERCENT', 'Ignore changes smaller than this percentage', { default: 1 }),
        'min-runs': option('N', 'Minimum number of runs before and after a change', { default: 5 }),
      },
    },
    {
      title: 'Runs',
      options: {
        'ignore-setting': option('NAME', 'Ignore settings whose names start with NAME, such as command', {
          many: 'repeat',
        }),
        ...SERVERS_OPTION,
      },
    },
    {
      title: 'Output',
      options: {
        ...pickOptions(OUTPUT_FLAGS, ['json', 'markdown']),
        html: option('FILE', 'Also write a page with charts'),
        'fail-on': option('CHANGE', 'Exit with 1 if a metric got worse, or changed at all', {
          choices: ['worse', 'change'],
        }),
        last: option('N', 'With --fail-on, only count changes at the last N runs', {
          defaultText: 'all runs',
        }),
      },
    },
  ],
  examples: [
    { command: 'servelens read trend nightly', description: 'Find changes in all runs in a folder' },
    {
      command: 'servelens read trend nightly --html trend.html --fail-on worse --last 10',
      description: 'Write a page, and fail in CI if a metric got worse at one of the last ten runs',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', '--fail-on is set, and a metric got worse or changed'],
    ['2', 'no run can be read, --fail-on is set and there are too few runs, or the arguments are invalid'],
  ],
  run,
};

/** Prints the trend of runs. Returns 0, or 1 if `--fail-on` is set and a metric changed. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const options = {
    alpha: readNumber(raw, 'alpha', { min: 0, max: 1 })!,
    minChange: readNumber(raw, 'min-change', { min: 0 })! / 100,
    minRuns: readNumber(raw, 'min-runs', { min: 3, isInteger: true })!,
    ignoredSettings: readList(raw, 'ignore-setting'),
  };
  const last = readNumber(raw, 'last', { min: 1, isInteger: true }) ?? Number.POSITIVE_INFINITY;
  const servers = await readServersOption(raw, io);
  const trend = await analyzeTrend(readList(raw, 'folder'), options, { servers });
  if (trend.groups.length === 0)
    throw new UsageError(['no run can be read', ...listProblems(trend)].join('\n  '));
  const page = typeof raw.html === 'string' ? await writePage(raw.html, trend) : undefined;
  printOutput(io, raw, {
    json: () => buildTrendDocument(trend),
    markdown: () => renderTrendMarkdown(trend),
    screen: screen => renderTrendScreen(trend, screen),
  });
  if (page !== undefined && shouldPrintPaths(raw)) io.stdout.write(`\n${toPrintable(page)}\n`);
  return typeof raw['fail-on'] === 'string' ? toExitCode(trend, raw['fail-on'] === 'change', last) : 0;
}

async function writePage(file: string, trend: RunTrend): Promise<string> {
  const result = await writeFileAtomic(file, renderTrendPage(trend, file));
  if (!result.ok) throw new UsageError(result.message);
  return file;
}

/** Returns 1 if a metric got worse or, with `countsAll`, changed; 2 if nothing could be tested. */
function toExitCode({ groups }: RunTrend, countsAll: boolean, last: number): number {
  if (groups.some(group => hasChange(group, countsAll, last))) return 1;
  const isTested = groups.some(({ metrics }) => metrics.some(({ state }) => state !== 'too few runs'));
  return isTested ? 0 : 2;
}

function hasChange({ runs, metrics }: TrendGroup, countsAll: boolean, last: number): boolean {
  return metrics.some(({ changes, drift }) => {
    const recent = changes.filter(({ after }) => after >= runs.length - last);
    return [...recent, ...(drift ? [drift] : [])].some(({ verdict }) => countsAll || verdict === 'worse');
  });
}
