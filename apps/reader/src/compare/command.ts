import {
  type CompareOptions,
  type Comparison,
  compareRuns,
  findRepeatedRuns,
  openRun,
  type Run,
} from '@org/analysis';
import { getTerminalHeight, getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { ReaderIo } from '../io.ts';
import { JSON_OPTION, MARKDOWN_OPTION, type RawOptions, REPEATABLE, toTexts } from '../options.ts';
import { createScreen } from '../screen.ts';
import { buildComparisonDocument } from './json.ts';
import { renderComparisonMarkdown } from './markdown.ts';
import { renderComparisonScreen } from './screen.ts';

export function declare(command: Argv): Argv {
  return command
    .positional('base', {
      type: 'string',
      demandOption: true,
      describe: 'Run to compare with: its folder, or one of its files',
    })
    .positional('new', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'New run; several runs count as repeats of one benchmark',
    })
    .option('base-run', { ...REPEATABLE, describe: 'Additional run of the base; repeatable' })
    .option('each', { type: 'boolean', describe: 'Compare each new run separately' })
    .option('metric', {
      ...REPEATABLE,
      describe: 'Compare only metrics whose names contain this text; repeatable',
    })
    .option('stat', { ...REPEATABLE, describe: 'Statistic to compare, such as p50_estimate; repeatable' })
    .option('ignore-label', {
      ...REPEATABLE,
      describe: 'Label to ignore when matching series; endpoint_url counts as a label; repeatable',
    })
    .option('by', {
      ...REPEATABLE,
      describe: 'Label to match series by; series that agree in it are combined; repeatable',
    })
    .option('rollup', {
      choices: ['auto', 'sum', 'mean', 'max'] as const,
      default: 'auto',
      describe: 'Method to combine several series into one',
    })
    .option('test', {
      choices: ['welch', 'mann-whitney'] as const,
      default: 'welch',
      describe: 'Significance test for repeated runs',
    })
    .option('correction', {
      choices: ['bh', 'holm', 'none'] as const,
      default: 'bh',
      describe: 'Correction for multiple comparisons: Benjamini-Hochberg, Holm or none',
    })
    .option('alpha', { type: 'number', nargs: 1, default: 0.05, describe: 'Significance level' })
    .option('min-change', {
      type: 'number',
      nargs: 1,
      default: 1,
      describe: 'Ignore changes smaller than this percentage',
    })
    .option('all', { type: 'boolean', describe: 'Print all rows, including unchanged metrics' })
    .option('exit-code', { type: 'boolean', describe: 'Exit with 1 if a metric got worse' })
    .option('json', JSON_OPTION)
    .option('markdown', MARKDOWN_OPTION)
    .conflicts('json', 'markdown')
    .example('$0 compare main branch', '')
    .example('$0 compare main/1 branch/1 branch/2 branch/3 --base-run main/2 --base-run main/3', '');
}

/** Prints what changed; exits with 0, or with 1 if `--exit-code` is set and a metric got worse. */
export async function run(raw: RawOptions, io: ReaderIo): Promise<number> {
  const options = parseOptions(raw);
  const base = await openAll([String(raw.base), ...toTexts(raw['base-run'])]);
  const others = await openAll(toTexts(raw.new));
  const groups = raw.each === true ? others.map(run => [run]) : [others];
  const comparisons = groups.map(group => compareRuns(base, group, options));
  if (comparisons.every(({ rows }) => rows.length === 0)) rejectUnknownNames(options, [...base, ...others]);
  io.stdout.write(`${render(comparisons, raw, io)}\n`);
  const isWorse = comparisons.some(({ rows }) => rows.some(({ verdict }) => verdict === 'worse'));
  return raw['exit-code'] === true && isWorse ? 1 : 0;
}

/** Opens runs one after the other, so that only what is compared of large files is in memory. */
async function openAll(names: readonly string[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const name of names) for (const run of await findRepeatedRuns(name)) runs.push(await openRun(run));
  return runs;
}

function parseOptions(raw: RawOptions): CompareOptions {
  const parseList = (name: string): readonly string[] | undefined =>
    raw[name] === undefined ? undefined : toTexts(raw[name]).flatMap(text => text.split(','));
  const [stats, metrics, by, ignoreLabels] = ['stat', 'metric', 'by', 'ignore-label'].map(parseList);
  return {
    ...(stats && { stats }),
    ...(metrics && { metrics }),
    ...(by && { by }),
    ...(ignoreLabels && { ignoreLabels }),
    rollup: raw.rollup as NonNullable<CompareOptions['rollup']>,
    test: raw.test as NonNullable<CompareOptions['test']>,
    correction: raw.correction as NonNullable<CompareOptions['correction']>,
    alpha: parseNumber('alpha', raw.alpha, 0, 1),
    minChange: parseNumber('min-change', raw['min-change'], 0, Number.MAX_VALUE) / 100,
  };
}

/** Rejects a metric or statistic that no run has. */
function rejectUnknownNames({ stats = [], metrics = [] }: CompareOptions, runs: readonly Run[]): void {
  const knownStats = new Set<string>();
  const names = new Set<string>();
  for (const run of runs)
    for (const { name, series } of run.families.values()) {
      names.add(name);
      for (const entry of series) for (const stat of Object.keys(entry.stats)) knownStats.add(stat);
    }
  const metric = metrics.find(part => ![...names].some(name => name.includes(part)));
  if (metric !== undefined)
    throw new UsageError(`--metric ${metric}: no metric name of these runs contains this text`);
  const stat = stats.find(name => !knownStats.has(name));
  if (stat !== undefined)
    throw new UsageError(
      `--stat ${stat}: no series has this statistic; expected one of ${[...knownStats].sort().join(', ')}`,
    );
}

function parseNumber(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const range = max === Number.MAX_VALUE ? `of at least ${min}` : `between ${min} and ${max}`;
  throw new UsageError(`--${name} is ${String(value)}; expected a number ${range}`);
}

function render(comparisons: readonly Comparison[], raw: RawOptions, io: ReaderIo): string {
  const all = raw.all === true;
  if (raw.json === true) {
    const documents = comparisons.map(buildComparisonDocument);
    return JSON.stringify(raw.each === true ? documents : documents[0], null, 2);
  }
  if (raw.markdown === true)
    return comparisons.map(comparison => renderComparisonMarkdown(comparison, all).trimEnd()).join('\n\n');
  const screen = createScreen({
    width: getTerminalWidth(io.stdout),
    height: getTerminalHeight(io.stdout),
    color: shouldUseColor(io.stdout, io.env),
  });
  return comparisons.map(comparison => renderComparisonScreen(comparison, all, screen)).join('\n\n');
}
