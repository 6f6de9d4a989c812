import type { MetricRole } from '@org/servers';
import type { RunSeries } from '../run/series.ts';

/** Labels that number the ranks of a server with data parallelism. */
const RANK_LABELS = ['engine', 'dp_rank'] as const;

/** Returns the rank of a series of a server with data parallelism; empty without one. */
export function getRank({ labels }: RunSeries): string {
  const label = RANK_LABELS.find(name => labels[name] !== undefined);
  return label === undefined ? '' : `${label} ${labels[label]}`;
}

/** Returns the series of a role. */
type RoleReader = (role: MetricRole) => readonly RunSeries[];

/** Divides the series of a server by rank. Each role is divided once, when it is read first. */
export function divideByRank(read: RoleReader): (rank: string) => RoleReader {
  const byRole = new Map<MetricRole, ReadonlyMap<string, readonly RunSeries[]>>();
  const divide = (role: MetricRole): ReadonlyMap<string, readonly RunSeries[]> => {
    const byRank = byRole.get(role) ?? groupByRank(read(role));
    byRole.set(role, byRank);
    return byRank;
  };
  return rank => role => divide(role).get(rank) ?? [];
}

function groupByRank(series: readonly RunSeries[]): Map<string, RunSeries[]> {
  const byRank = new Map<string, RunSeries[]>();
  for (const entry of series) {
    const rank = getRank(entry);
    const group = byRank.get(rank);
    if (group) group.push(entry);
    else byRank.set(rank, [entry]);
  }
  return byRank;
}
