import {
  type CompareOptions,
  type Comparison,
  compareRuns,
  matchVariations,
  type OpenOptions,
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
} from '@org/terminal/program';
import { printOutput, shouldPrintPaths } from '../output.ts';
import { type ComparisonFiles, writeComparison } from '../report/comparison/writeComparison.ts';
import { COMPARE_OPTION_GROUPS, readCompareOptions } from './compareOptions.ts';
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
import { rejectUnknownNames } from './unknownNames.ts';

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
    ...COMPARE_OPTION_GROUPS,
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
  const options = readCompareOptions(raw);
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
