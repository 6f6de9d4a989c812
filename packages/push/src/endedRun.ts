import { createRun, openRun, type Run } from '@org/analysis';
import type { ProfileExport, ServerMetricsDocument } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import type { RunDescription } from './metrics/runIdentity.ts';

/** The exports of a run that has just ended. */
export interface EndedRun {
  /** Absent if the run sent no requests. */
  readonly profile?: ProfileExport;
  /** Absent if the run scraped no servers. */
  readonly serverMetrics?: ServerMetricsDocument;
}

const NO_METRICS: ServerMetricsView = { schema_version: '1.0', metrics: {} };

/** Opens the exports of a run in memory. */
export function openEndedRun({ profile, serverMetrics }: EndedRun): Run {
  const view = (serverMetrics as ServerMetricsView | undefined) ?? NO_METRICS;
  return createRun({ name: '', layout: 'json', files: {}, view, ...(profile ? { profile } : {}) });
}

/**
 * Opens the aggregated exports of a run that has ended.
 *
 * @throws RunError if there is no run, FormatError if a file is invalid
 */
export function openFinishedRun(path: string): Promise<Run> {
  return openRun(path, { aggregatesOnly: true });
}

/** Reads the models and the API of a run from its recorded configuration. */
export function describeRun({ inputConfig }: Pick<Run, 'inputConfig'>): RunDescription {
  const { models, endpoint } = inputConfig as {
    readonly models?: { readonly items?: readonly { readonly name?: unknown }[] };
    readonly endpoint?: { readonly type?: unknown };
  };
  const names = (models?.items ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const type = endpoint?.type;
  return {
    ...(names.length > 0 ? { models: names } : {}),
    ...(typeof type === 'string' ? { endpointType: type } : {}),
  };
}
