import type { Reconciliation, ServerMetricsDocument } from '@org/formats';
import type { ProfileMetrics } from '@org/loadgen';
import type { RunRecord } from '@org/record';
import { reconcile } from './reconcile.ts';
import type { ClientSide, ServerSide } from './reconciliationInput.ts';

/** The client's measurements of a run, and the running requests of the servers at both ends of profiling. */
export interface ClientRun extends Pick<ClientSide, 'blocks' | 'cancelled' | 'warmupCutOff' | 'tokenizer'> {
  readonly metrics: Pick<ProfileMetrics, 'succeeded' | 'failed'>;
  readonly runningAtStart: number | undefined;
  readonly runningAtEnd: number | undefined;
  readonly killed?: ServerSide['killed'];
}

/** Reconciles a run. Returns undefined if no server of a known kind returned data. */
export function reconcileRun(
  record: RunRecord,
  document: ServerMetricsDocument,
  { blocks, metrics, cancelled, warmupCutOff, tokenizer, runningAtStart, runningAtEnd, killed }: ClientRun,
): Reconciliation | undefined {
  const mixed = record.endpoints.filter(({ health }) => (health.address_changes?.length ?? 0) > 0);
  const { succeeded, failed } = metrics;
  return reconcile(
    { blocks, succeeded, failed, cancelled, warmupCutOff, tokenizer },
    {
      document,
      ...(runningAtStart === undefined ? {} : { runningAtStart }),
      ...(runningAtEnd === undefined ? {} : { runningAtEnd }),
      ...(killed ? { killed } : {}),
      mixedEndpoints: mixed.map(({ url }) => url),
    },
  );
}
