import type { Replica } from './replica.ts';

/** Up to this number, all replicas are drawn. */
const MAX_ALL = 12;
/** Beyond that, this many replicas are drawn: with the highest means, with the lowest means, and stopped ones. */
const HIGHEST = 5;
const LOWEST = 3;
const STOPPED = 3;

/** Selects the replicas that are drawn, in their order, and says in words which are not. */
export function selectDrawn(
  replicas: readonly Replica[],
  median: number,
): { readonly drawn: readonly Replica[]; readonly omitted: readonly string[] } {
  if (replicas.length <= MAX_ALL) return { drawn: replicas, omitted: [] };
  const sorted = [...replicas].sort((a, b) => b.mean - a.mean);
  const distance = ({ mean }: Replica): number => Math.abs(mean - median);
  const middle = sorted.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  const stopped = replicas.filter(({ stop }) => stop !== undefined);
  const selected = new Set([
    ...sorted.slice(0, HIGHEST),
    ...sorted.slice(-LOWEST),
    ...stopped.slice(0, STOPPED),
    middle,
  ]);
  const also =
    stopped.length === 0
      ? ''
      : `, ${Math.min(STOPPED, stopped.length)} of ${stopped.length} that stopped responding`;
  return {
    drawn: replicas.filter(replica => selected.has(replica)),
    omitted: [
      `Drawn are ${selected.size} of ${replicas.length}: the ${HIGHEST} highest and the ${LOWEST} lowest means${also}, and the one nearest to the median.`,
    ],
  };
}
