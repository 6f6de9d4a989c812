import {
  type CompareOptions,
  type Comparison,
  compare,
  openRun,
  type Run,
  repeatedRuns,
} from '@org/analysis';
import { getTerminalHeight, getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { ReaderIo } from '../io.ts';
import { texts } from '../optionValues.ts';
import { lookOf } from '../screen.ts';
import { comparisonDocument } from './json.ts';
import { comparisonMarkdown } from './markdown.ts';
import { comparisonScreen } from './screen.ts';

const many = { type: 'string', array: true, nargs: 1 } as const;

export function declareCompare(command: Argv): Argv {
  return command
    .positional('base', { type: 'string', demandOption: true, describe: 'The run to compare with' })
    .positional('new', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'The run that is new; several are repetitions of one and the same',
    })
    .option('base-run', { ...many, describe: 'Another run of the base side; more than once' })
    .option('each', { type: 'boolean', describe: 'Compare each new run by itself' })
    .option('metric', { ...many, describe: 'Only metrics with this in their name; more than once' })
    .option('stat', { ...many, describe: 'Compare this statistic, such as p50_estimate; more than once' })
    .option('ignore-label', { ...many, describe: 'A label that does not count; endpoint_url is one too' })
    .option('by', { ...many, describe: 'Only these labels count; the rest is rolled up' })
    .option('rollup', {
      choices: ['auto', 'sum', 'mean', 'max'] as const,
      default: 'auto',
      describe: 'How series become one',
    })
    .option('test', {
      choices: ['welch', 'mann-whitney'] as const,
      default: 'welch',
      describe: 'For repeated runs',
    })
    .option('correction', {
      choices: ['bh', 'holm', 'none'] as const,
      default: 'bh',
      describe: 'For many comparisons: Benjamini-Hochberg, Holm',
    })
    .option('alpha', { type: 'number', nargs: 1, default: 0.05, describe: 'Chance of a false finding' })
    .option('min-change', {
      type: 'number',
      nargs: 1,
      default: 1,
      describe: 'Smaller changes are none, in percent',
    })
    .option('all', { type: 'boolean', describe: 'Every row' })
    .option('exit-code', { type: 'boolean', describe: 'Exit with 1 when something got worse' })
    .option('json', { type: 'boolean', describe: 'As JSON' })
    .option('markdown', { type: 'boolean', describe: 'As Markdown, for a pull request' })
    .conflicts('json', 'markdown')
    .example('$0 compare main branch', '')
    .example('$0 compare main/1 branch/1 branch/2 branch/3 --base-run main/2 --base-run main/3', '');
}

/** Prints what changed; 0, or 1 with `--exit-code` when something got worse. */
export async function compareRuns(raw: Readonly<Record<string, unknown>>, io: ReaderIo): Promise<number> {
  const options = optionsOf(raw);
  const base = await openAll([String(raw.base), ...texts(raw['base-run'])]);
  const others = await openAll(texts(raw.new));
  const groups = raw.each === true ? others.map(run => [run]) : [others];
  const comparisons = groups.map(group => compare(base, group, options));
  if (comparisons.every(({ rows }) => rows.length === 0)) refuseUnknown(options, [...base, ...others]);
  io.stdout.write(`${rendered(comparisons, raw, io)}\n`);
  const worse = comparisons.some(({ rows }) => rows.some(({ verdict }) => verdict === 'worse'));
  return raw['exit-code'] === true && worse ? 1 : 0;
}

/** One after the other: of large files only what is compared should be in memory at once. */
async function openAll(names: readonly string[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const name of names) for (const run of await repeatedRuns(name)) runs.push(await openRun(run));
  return runs;
}

function optionsOf(raw: Readonly<Record<string, unknown>>): CompareOptions {
  const given = (name: string): readonly string[] | undefined =>
    raw[name] === undefined ? undefined : texts(raw[name]).flatMap(text => text.split(','));
  const [stats, metrics, by, ignoreLabels] = ['stat', 'metric', 'by', 'ignore-label'].map(given);
  return {
    ...(stats && { stats }),
    ...(metrics && { metrics }),
    ...(by && { by }),
    ...(ignoreLabels && { ignoreLabels }),
    rollup: raw.rollup as NonNullable<CompareOptions['rollup']>,
    test: raw.test as NonNullable<CompareOptions['test']>,
    correction: raw.correction as NonNullable<CompareOptions['correction']>,
    alpha: within('alpha', raw.alpha, 0, 1),
    minChange: within('min-change', raw['min-change'], 0, Number.MAX_VALUE) / 100,
  };
}

/** Nothing to compare for a word that no run knows is a mistake of the question, and no answer. */
function refuseUnknown({ stats = [], metrics = [] }: CompareOptions, runs: readonly Run[]): void {
  const known = new Set<string>();
  const names = new Set<string>();
  for (const run of runs)
    for (const { name, series } of run.families.values()) {
      names.add(name);
      for (const one of series) for (const stat of Object.keys(one.stats)) known.add(stat);
    }
  const metric = metrics.find(part => ![...names].some(name => name.includes(part)));
  if (metric !== undefined) throw new UsageError(`--metric ${metric}: no metric has this in its name`);
  const stat = stats.find(one => !known.has(one));
  if (stat !== undefined)
    throw new UsageError(`--stat ${stat}: no series has it; there are ${[...known].sort().join(', ')}`);
}

function within(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const range = most === Number.MAX_VALUE ? `${least} or more` : `between ${least} and ${most}`;
  throw new UsageError(`--${name} is ${String(value)}; expected a number ${range}`);
}

function rendered(
  comparisons: readonly Comparison[],
  raw: Readonly<Record<string, unknown>>,
  io: ReaderIo,
): string {
  const all = raw.all === true;
  if (raw.json === true) {
    const documents = comparisons.map(comparisonDocument);
    return JSON.stringify(raw.each === true ? documents : documents[0], null, 2);
  }
  if (raw.markdown === true)
    return comparisons.map(one => comparisonMarkdown(one, all).trimEnd()).join('\n\n');
  const look = lookOf({
    width: getTerminalWidth(io.stdout),
    height: getTerminalHeight(io.stdout),
    color: shouldUseColor(io.stdout, io.env),
  });
  return comparisons.map(one => comparisonScreen(one, all, look)).join('\n\n');
}
