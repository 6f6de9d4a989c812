import { compareRuns, matchVariations, type OpenOptions } from '@org/analysis';
import { UsageError } from '@org/terminal';
import { isSet, type RawOptions, readList } from '@org/terminal/program';
import { openGroups } from '../compare/openGroups.ts';
import { writeComparison } from './comparison/writeComparison.ts';
import type { PictureFolders } from './pictures/writePictures.ts';

/** The default name of the page of several runs, in the current folder. */
const COMPARISON_PAGE_NAME = 'comparison_report.html';
/** Options that need the page of one run or sweep. */
const SINGLE_OPTIONS = ['run-pages', 'no-finding', 'threshold'] as const;

/**
 * Writes one page about several runs: each of them is compared with the baseline, by default the first one. Returns the
 * paths of the written files.
 *
 * @throws UsageError for sweeps, and for options of the page of one run
 */
export async function writeSeveralRuns(
  raw: RawOptions,
  folders: PictureFolders,
  { servers = [] }: OpenOptions,
): Promise<readonly string[]> {
  const extra = SINGLE_OPTIONS.find(name => isSet(raw, name) || readList(raw, name).length > 0);
  if (extra !== undefined)
    throw new UsageError(`--${extra} applies to the page of one run or sweep, not to a page of several runs`);
  const runs = readList(raw, 'run');
  const [base = '', ...others] = raw.baseline === undefined ? runs : [String(raw.baseline), ...runs];
  await rejectSweeps(base, others);
  const [baseRuns = [], ...groups] = await openGroups([base, ...others], servers);
  const comparisons = groups.map(group => compareRuns(baseRuns, group));
  const html = typeof raw.output === 'string' ? raw.output : COMPARISON_PAGE_NAME;
  return await writeComparison(comparisons, { ...folders, html });
}

async function rejectSweeps(base: string, others: readonly string[]): Promise<void> {
  if (!(await matchVariations([base], others.slice(0, 1)))) return;
  throw new UsageError(
    `${JSON.stringify(base)} and ${JSON.stringify(others[0])} are sweeps; for a page of two sweeps, use servelens read report NEW --baseline BASE`,
  );
}
