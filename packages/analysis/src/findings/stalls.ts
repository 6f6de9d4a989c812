import type { ReconciliationFinding } from '@org/formats';
import type { Run } from '../run/run.ts';

/** Kinds of stalls in the findings of the reconciliation. */
const STALL_KINDS: ReadonlySet<string> = new Set(['server_stalled', 'server_unresponsive']);

/** Reports whether a finding of the reconciliation is a stall, which is not a difference between client and servers. */
export function isStall({ kind }: Pick<ReconciliationFinding, 'kind'>): boolean {
  return STALL_KINDS.has(kind);
}

/** Returns the times in which requests were open on the client, but no server made progress. */
export function findStalls({ profile }: Pick<Run, 'profile'>): readonly ReconciliationFinding[] {
  return (profile?.reconciliation?.findings ?? []).filter(isStall);
}
