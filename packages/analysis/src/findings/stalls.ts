import type { ReconciliationFinding } from '@org/formats';
import type { Run } from '../run/run.ts';

/** The kind of a stall in the findings of the reconciliation. */
export const STALL = 'server_stalled';

/** Returns the times in which no server processed requests, although requests were open on the client. */
export function findStalls({ profile }: Pick<Run, 'profile'>): readonly ReconciliationFinding[] {
  return (profile?.reconciliation?.findings ?? []).filter(({ kind }) => kind === STALL);
}
