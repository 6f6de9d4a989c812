import type { Run } from '../run/run.ts';
import { measureLengths } from './conditions/runLengths.ts';
import { MIN_SLICES } from './noise/estimate.ts';
import type { ComparisonRow } from './rows/row.ts';
import type { CompareSettings } from './settings.ts';

/** Lists the limitations of a comparison as messages. */
export function listCaveats(
  base: readonly Run[],
  others: readonly Run[],
  rows: readonly ComparisonRow[],
  settings: CompareSettings,
): string[] {
  const notes: string[] = [];
  const minRuns = Math.min(base.length, others.length);
  const tested = rows.filter(({ p }) => p !== null);
  if (tested.some(({ basis }) => basis.includes('slices')))
    notes.push(
      'noise is estimated from the timeslices of one run, corrected for autocorrelation; it does not include run-to-run variation: repeat runs to measure that',
    );
  const queues = listQueueMetrics([...base, ...others]);
  const queue = minRuns === 1 ? rows.find(row => isQueueInBothRuns(row, queues)) : undefined;
  if (queue) notes.push(describeQueue(queue));
  if (tested.length === 0 && rows.some(({ reason }) => reason !== null))
    notes.push(
      `no difference was tested, because the noise is unknown: it requires repeated runs or at least ${MIN_SLICES} timeslices on each side (--slice-duration)`,
    );
  if (settings.test === 'mann-whitney' && minRuns < 2)
    notes.push('Mann-Whitney requires several runs on each side; Welch was used instead');
  if (
    settings.test === 'mann-whitney' &&
    minRuns >= 2 &&
    computeMinP(base.length, others.length) > settings.alpha
  )
    notes.push(
      `with ${base.length} base and ${others.length} new runs, p-values of Mann-Whitney are at least ${computeMinP(base.length, others.length).toFixed(2)}, above alpha: add runs, or use Welch`,
    );
  for (const run of [...base, ...others])
    if (run.wasCancelled === true) notes.push(`${run.name} was interrupted`);
  if (measureLengths(base, others).differ)
    notes.push('the runs differ in length: compare rates and means, not totals');
  return notes;
}

/** The minimum mean number of waiting requests of a server that is near its capacity. */
const MIN_WAITING = 1;

/** Lists the metrics of servers that count waiting requests. */
function listQueueMetrics(runs: readonly Run[]): ReadonlySet<string> {
  const definitions = runs.flatMap(({ servers }) => servers.servers);
  return new Set(definitions.flatMap(({ roles }) => roles.waiting?.metrics ?? []));
}

function isQueueInBothRuns(
  { name, stat, base, new: value }: ComparisonRow,
  queues: ReadonlySet<string>,
): boolean {
  return queues.has(name) && stat === 'avg' && Math.min(base, value) >= MIN_WAITING;
}

function describeQueue({ name, base, new: value }: ComparisonRow): string {
  const [from, to] = [base, value].map(mean => Number(mean.toPrecision(3)));
  return `requests waited in both runs (${name}: ${from} and ${to} on average): near the capacity, equal servers differ from run to run; repeat the runs to measure that`;
}

/** Returns the smallest two-sided p-value that a rank test of n and m values can produce. */
function computeMinP(n: number, m: number): number {
  let arrangements = 1;
  for (let i = 1; i <= n; i++) arrangements = (arrangements * (m + i)) / i;
  return Math.min(1, 2 / arrangements);
}
