import { phaseServerMetrics, serverMetrics } from '../generated/shapes.ts';
import { map, type ObjectShape, replaceField, type Shape } from '../schema/shape.ts';

/**
 * The shape of the server metrics of a phase. The metrics are those of server_metrics_export.json, in which AIPerf
 * includes units.
 */
export const PHASE_SERVER_METRICS_SHAPE: Shape = replaceField(
  phaseServerMetrics,
  ['data', 'endpoint_summaries', 'metrics'],
  createMetricsShape(),
);

function createMetricsShape(): Shape {
  const metrics = (serverMetrics as ObjectShape).fields.get('metrics')!;
  if (metrics.kind !== 'map' || metrics.values.kind !== 'choice') throw new Error('BUG: unexpected shape');
  const { shapes } = metrics.values;
  const withoutUnits = [...shapes].map(([type, shape]) => [type, markUnit(shape as ObjectShape)] as const);
  return map({ ...metrics.values, shapes: new Map(withoutUnits) });
}

function markUnit({ additions = new Set(), ...shape }: ObjectShape): Shape {
  return { ...shape, additions: new Set([...additions, 'unit']) };
}
