import type { Reconciliation, ServerMetricsDocument } from '@org/formats';
import type { ProfileMetrics } from '@org/loadgen';
import type { RunRecord } from '@org/record';
import { reconcile } from './reconcile.ts';
import type { ClientSide, ServerContext } from './sides.ts';

/** What the client measured in a run, and what it saw of the servers at the ends of profiling. */
export interface ClientRun extends Pick<ClientSide, 'blocks' | 'cancelled' | 'warmupCutOff' | 'tokenizer'> {
  readonly metrics: Pick<ProfileMetrics, 'succeeded' | 'failed'>;
  readonly runningAtStart: number | undefined;
  readonly runningAtEnd: number | undefined;
  readonly cut?: ServerContext['cut'];
}

/** Holds what the client measured in a run against what its servers counted; undefined when no server of a known kind gave data. */
export function reconcileRun(
  record: RunRecord,
  document: ServerMetricsDocument,
  { blocks, metrics, cancelled, warmupCutOff, tokenizer, runningAtStart, runningAtEnd, cut }: ClientRun,
): Reconciliation | undefined {
  const mixed = record.endpoints.filter(({ health }) => (health.address_changes?.length ?? 0) > 0);
  const { succeeded, failed } = metrics;
  return reconcile(
    { blocks, succeeded, failed, cancelled, warmupCutOff, tokenizer },
    {
      document,
      ...(runningAtStart === undefined ? {} : { runningAtStart }),
      ...(runningAtEnd === undefined ? {} : { runningAtEnd }),
      ...(cut ? { cut } : {}),
      mixedEndpoints: mixed.map(({ url }) => url),
    },
  );
}
