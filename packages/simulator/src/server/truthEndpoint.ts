import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Truth } from '../truth.ts';
import type { Control } from './control.ts';
import { ApiError, sendJson } from './jsonApi.ts';
import type { LiveSimulation } from './liveSimulation.ts';

/**
 * Handles GET /truth: sends the truth between two named marks, the query parameters `from` (default: the start)
 * and `to` (default: now). `values=0` omits individual observations.
 */
export function handleTruth(
  live: LiveSimulation,
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const query = new URL(request.url!, 'http://localhost').searchParams;
  live.catchUp();
  try {
    const from = query.has('from') ? control.getMark(query.get('from')!) : undefined;
    const to = query.has('to') ? control.getMark(query.get('to')!) : undefined;
    sendJson(response, 200, toTruthJson(live.simulation.getTruth(from, to), query.get('values') !== '0'));
  } catch (error) {
    throw new ApiError(400, (error as Error).message);
  }
}

/** Converts a truth to JSON: times in ns since the start, values in the unit of the metric. */
function toTruthJson(truth: Truth, includesValues: boolean): object {
  return {
    from_ns: truth.fromNs,
    to_ns: truth.toNs,
    histograms: truth.histograms.map(({ name, labels, values }) => ({
      name,
      labels: Object.fromEntries(labels),
      count: values.length,
      sum: values.reduce((sum, value) => sum + value, 0),
      ...(includesValues && { values: [...values] }),
    })),
    requests: truth.requests,
    gpu_joules: truth.gpuJoules,
  };
}
