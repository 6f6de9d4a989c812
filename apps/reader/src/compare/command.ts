import {
  type CompareOptions,
  type Comparison,
  compareRuns,
  matchVariations,
  type OpenOptions,
  type Run,
  type VariationMatches,
} from '@org/analysis';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { toPrintable, UsageError } from '@org/terminal';
import {
  type Command,
  type CommandContext,
  flag,
  type Io,
  OUTPUT_FLAGS,
  option,
  pickOptions,
  type RawOptions,
  readList,
  readNumber,
} from '@org/terminal/program';
import { printOutput, shouldPrintPaths } from '../output.ts';
import { type ComparisonFiles, writeComparison } from '../report/comparison/writeComparison.ts';
import { buildComparisonDocument } from './json.ts';
import { renderComparisonMarkdown } from './markdown.ts';
import { openGroups } from './openGroups.ts';
import { renderComparisonScreen } from './screen.ts';
import {
  buildSweepDocument,
  compareVariations,
  hasWorseVariation,
  renderSweepComparison,
  renderSweepMarkdown,
  type SweepComparison,
} from './sweeps.ts';

/** The command `servelens read compare`. */
export const compareCommand: Command = {
  arguments: [
    {
      name: 'base',
      placeholder: 'BASE',
      description: 'Run, sweep or repeated runs to compare with: the folder, or a file of a run',
    },
    {
      name: 'new',
      placeholder: 'NEW',
      description: 'New run or sweep; several count as repeats of one benchmark',
      isList: true,
    },
  ],
  optionGroups: [
    {
      title: 'Runs',
      options: {
        'base-run': option('RUN', 'Additional run of the base', { many: 'repeat' }),
        each: flag('Compare each argument separately with the base'),
        ...SERVERS_OPTION,
      },
    },
    {
      title: 'Metrics and series',
      options: {
        metric: option('TEXT', 'Compare only metrics whose names contain TEXT', {
          many: 'repeat',
          acceptsCommas: true,
        }),
        stat: option('NAME', 'Statistic to compare, such as p50_estimate', {
          many: 'repeat',
          acceptsCommas: true,
        }),
        'ignore-label': option(
          'LABEL',
          'Ignore this label when matching series; endpoint_url counts as a label',
          { many: 'repeat', acceptsCommas: true },
        ),
        by: option(
          'LABEL',
          'Match series by this label of the series or the target, and combine series that have the same value',
          {
            many: 'repeat',
            acceptsCommas: true,
          },
        ),
        rollup: option('METHOD', 'Method to combine several series into one', {
          choices: ['auto', 'sum', 'mean', 'max'],
          default: 'auto',
        }),
      },
    },
    {
      title: 'Significance',
      options: {
        test: option('TEST', 'Significance test for repeated runs', {
          choices: ['welch', 'mann-whitney'],
          default: 'welch',
        }),
        correction: option(
          'METHOD',
          'Correction for multiple comparisons: Benjamini-Hochberg (bh), Holm or none',
          { choices: ['bh', 'holm', 'none'], default: 'bh' },
        ),
        alpha: option('LEVEL', 'Significance level, from 0 to 1', { default: 0.05 }),
        'min-change': option('PERCENT', 'Ignore changes smaller than this percentage', { default: 1 }),
      },
    },
    {
      title: 'Output',
      options: {
        all: flag('Print all rows, including unchanged metrics'),
        'exit-code': flag('Exit with 1 if a metric got worse'),
        ...pickOptions(OUTPUT_FLAGS, ['json', 'markdown']),
        html: option('FILE', 'Also write the comparison as an HTML page with charts'),
        svg: option('FOLDER', 'Also write each chart of the page as SVG to this folder'),
        png: option('FOLDER', 'Also write each chart of the page as PNG to this folder'),
      },
    },
  ],
  examples: [
    { command: 'servelens read compare main branch', description: 'Compare two runs' },
    {
      command: 'servelens read compare main branch1 branch2 --each --html comparison.html',
      description: 'Compare two runs with main, and write a page with charts',
    },
    {
      command: 'servelens read compare main-sweep branch-sweep',
      description: 'Compare each variation of two sweeps',
    },
    {
      command: 'servelens read compare main/1 branch/1 branch/2 --base-run main/2 --exit-code',
      description: 'Compare two runs of a branch with two of main; fail in CI if a metric got worse',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['1', '--exit-code is set, and a metric got worse'],
    ['2', 'a run cannot be read, or the arguments are invalid'],
  ],
  run,
};

/** Compares runs or sweeps, and prints the result. Returns 0, or 1 if `--exit-code` is set and a metric got worse. */
async function run(raw: RawOptions, { io }: CommandContext): Promise<number> {
  const options = parseOptions(raw);
  const servers = await readServersOption(raw, io);
  const basePaths = [String(raw.base), ...readList(raw, 'base-run')];
  const newPaths = readList(raw, 'new');
  const matches = await matchVariations(basePaths, newPaths);
  if (matches)
    return await runSweeps(
      matches,
      { base: basePaths[0]!, new: newPaths[0]! },
      raw,
      { ...options, servers },
      io,
    );
  const base = (await openGroups(basePaths, servers)).flat();
  const groups = await openGroups(newPaths, servers);
  rejectUnknownNames(options, [...base, ...groups.flat()]);
  const compared = raw.each === true ? groups : [groups.flat()];
  const comparisons = compared.map(group => compareRuns(base, group, options));
  // The page is written first, so that a page that cannot be written does not print a comparison.
  const files = readFiles(raw);
  const written = Object.keys(files).length === 0 ? [] : await writeComparison(comparisons, files);
  printComparisons(comparisons, raw, io);
  if (shouldPrintPaths(raw)) for (const path of written) io.stdout.write(`${toPrintable(path)}\n`);
  const isWorse = comparisons.some(({ rows }) => rows.some(({ verdict }) => verdict === 'worse'));
  return raw['exit-code'] === true && isWorse ? 1 : 0;
}

/** Reads the files to write besides the output. */
function readFiles({ html, svg, png }: RawOptions): ComparisonFiles {
  return {
    ...(typeof html === 'string' && { html }),
    ...(typeof svg === 'string' && { svg }),
    ...(typeof png === 'string' && { png }),
  };
}

async function runSweeps(
  matches: VariationMatches,
  names: Pick<SweepComparison, 'base' | 'new'>,
  raw: RawOptions,
  options: CompareOptions & OpenOptions,
  io: Io,
): Promise<number> {
  if (raw.each === true)
    throw new UsageError('--each requires single runs; to compare several sweeps, run compare for each');
  if (Object.keys(readFiles(raw)).length > 0)
    throw new UsageError(
      '--html, --svg and --png require runs, but these are sweeps; for a page, use servelens read report NEW --baseline BASE',
    );
  const comparison = await compareVariations(matches, names, options, runs =>
    rejectUnknownNames(options, runs),
  );
  const showsAll = raw.all === true;
  printOutput(io, raw, {
    json: () => buildSweepDocument(comparison),
    markdown: () => renderSweepMarkdown(comparison, showsAll),
    screen: screen => renderSweepComparison(comparison, showsAll, screen),
  });
  return raw['exit-code'] === true && hasWorseVariation(comparison) ? 1 : 0;
}

function parseOptions(raw: RawOptions): CompareOptions {
  const [stats, metrics, by, ignoreLabels] = ['stat', 'metric', 'by', 'ignore-label'].map(name =>
    raw[name] === undefined ? undefined : readList(raw, name),
  );
  return {
    ...(stats && { stats }),
    ...(metrics && { metrics }),
    ...(by && { by }),
    ...(ignoreLabels && { ignoreLabels }),
    rollup: raw.rollup as NonNullable<CompareOptions['rollup']>,
    test: raw.test as NonNullable<CompareOptions['test']>,
    correction: raw.correction as NonNullable<CompareOptions['correction']>,
    alpha: readNumber(raw, 'alpha', { min: 0, max: 1 })!,
    minChange: readNumber(raw, 'min-change', { min: 0 })! / 100,
  };
}

/** Throws a UsageError if no run contains a requested metric, statistic or label. */
function rejectUnknownNames(
  { stats = [], metrics = [], by = [], ignoreLabels = [] }: CompareOptions,
  runs: readonly Run[],
): void {
  if (stats.length + metrics.length + by.length + ignoreLabels.length === 0) return;
  const known = collectNames(runs);
  const metric = metrics.find(text => ![...known.metrics].some(name => name.includes(text)));
  if (metric !== undefined)
    throw new UsageError(
      `invalid --metric ${JSON.stringify(metric)}: no metric name of these runs contains this text`,
    );
  rejectUnknownName('--stat', 'statistic', stats, known.stats);
  rejectUnknownName('--by', 'label', by, known.labels);
  rejectUnknownName('--ignore-label', 'label', ignoreLabels, known.labels);
}

function rejectUnknownName(
  option: string,
  kind: string,
  names: readonly string[],
  known: ReadonlySet<string>,
): void {
  const unknown = names.find(name => !known.has(name));
  if (unknown !== undefined)
    throw new UsageError(
      `invalid ${option} ${JSON.stringify(unknown)}: no series has this ${kind}; expected one of ${[...known].sort().join(', ')}`,
    );
}

/** The names of the metrics, statistics and labels of several runs. */
function collectNames(runs: readonly Run[]): Record<'metrics' | 'stats' | 'labels', ReadonlySet<string>> {
  const metrics = new Set<string>();
  const stats = new Set<string>();
  const labels = new Set(['endpoint_url']);
  for (const run of runs) {
    for (const endpoint of run.endpoints)
      for (const label of Object.keys(endpoint.labels)) labels.add(label).add(`target.${label}`);
    for (const { name, series } of run.families.values()) {
      metrics.add(name);
      for (const entry of series) {
        for (const stat of Object.keys(entry.stats)) stats.add(stat);
        for (const label of Object.keys(entry.labels)) labels.add(label);
      }
    }
  }
  return { metrics, stats, labels };
}

function printComparisons(comparisons: readonly Comparison[], raw: RawOptions, io: Io): void {
  const showsAll = raw.all === true;
  const join = (render: (comparison: Comparison) => string): string =>
    comparisons.map(comparison => render(comparison).trimEnd()).join('\n\n');
  printOutput(io, raw, {
    json: () => {
      const documents = comparisons.map(buildComparisonDocument);
      return raw.each === true ? documents : documents[0];
    },
    markdown: () => join(comparison => renderComparisonMarkdown(comparison, showsAll)),
    screen: screen => join(comparison => renderComparisonScreen(comparison, showsAll, screen)),
  });
}
