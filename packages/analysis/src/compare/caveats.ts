import type { Run } from '../run/run.ts';
import type { StatComparison } from './draft.ts';
import type { Estimate } from './estimate.ts';
import type { CompareSettings } from './settings.ts';

/** What a reader has to know of how far these figures can be trusted. */
export function collectCaveats(
  base: readonly Run[],
  others: readonly Run[],
  drafts: readonly StatComparison[],
  settings: CompareSettings,
): string[] {
  const notes: string[] = [];
  const least = Math.min(base.length, others.length);
  const bases = new Set<Estimate['basis']>();
  for (const { base: from, other } of drafts) bases.add(from.estimate.basis).add(other.estimate.basis);
  if (bases.has('slices'))
    notes.push(
      'noise is that between timeslices of a run, as alike as they are; what differs from one run to the next is not in it: repeat runs to see that',
    );
  if (bases.has('none') && !bases.has('slices') && !bases.has('runs'))
    notes.push('neither timeslices nor repeated runs: nothing is known of the noise, so nothing was tested');
  if (settings.test === 'mann-whitney' && least < 2)
    notes.push('Mann-Whitney needs several runs on each side; Welch was used');
  if (settings.test === 'mann-whitney' && least >= 2 && leastP(base.length, others.length) > settings.alpha)
    notes.push(
      `${base.length} against ${others.length} runs: ranks can never say more than p = ${leastP(base.length, others.length).toFixed(2)}; repeat runs or use Welch`,
    );
  for (const run of [...base, ...others])
    if (run.wasCancelled === true) notes.push(`${run.name} was interrupted`);
  const seconds = [...base, ...others].flatMap(({ times }) => times.profilingSeconds ?? times.seconds ?? []);
  if (seconds.length > 1 && Math.max(...seconds) > 1.2 * Math.min(...seconds))
    notes.push('runs are of different length: compare rates and means, not totals');
  return notes;
}

/** The smallest p that ranks of so many values can give. */
function leastP(n: number, m: number): number {
  let arrangements = 1;
  for (let i = 1; i <= n; i++) arrangements = (arrangements * (m + i)) / i;
  return Math.min(1, 2 / arrangements);
}
