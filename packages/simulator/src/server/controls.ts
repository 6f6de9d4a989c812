import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../faults/fault.ts';
import type { Truth } from '../truth.ts';
import type { Control } from './control.ts';
import type { Live } from './live.ts';
import { ApiError, readObject, replyJson } from './reply.ts';

/**
 * Answers POST /control. The body may have `fault` or `faults`, `clear: true`, `restart: true` or seconds,
 * `refuse` (seconds) and `mark` (a name); the answer tells which faults are still to come.
 */
export async function answerControl(
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readObject(request);
  for (const name of Object.keys(body)) {
    if (!commands.includes(name))
      throw new ApiError(400, `"${name}" is no command; there are ${commands.join(', ')}`);
  }
  try {
    if (body.clear === true) control.clear();
    if (body.fault !== undefined) control.inject(body.fault as Fault);
    if (Array.isArray(body.faults)) control.inject(...(body.faults as Fault[]));
    if (typeof body.mark === 'string') control.mark(body.mark);
  } catch (error) {
    throw new ApiError(400, (error as Error).message);
  }
  replyJson(response, 200, { faults: control.faults });
  // The answer has to be out before its connection breaks.
  response.once('finish', () => void disturb(control, body));
}

const commands: readonly string[] = ['clear', 'fault', 'faults', 'mark', 'refuse', 'restart'];

async function disturb(control: Control, { restart, refuse }: Record<string, unknown>): Promise<void> {
  if (restart === true || typeof restart === 'number') await control.restart(restart === true ? 0 : restart);
  if (typeof refuse === 'number' && refuse > 0) await control.refuse(refuse);
}

/**
 * Answers GET /truth: what happened between the marks named by the query's `from` and `to`, or the start and now.
 * With `values=0` without the single observations.
 */
export function answerTruth(
  live: Live,
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const query = new URL(request.url!, 'http://localhost').searchParams;
  live.catchUp();
  try {
    const from = query.has('from') ? control.marked(query.get('from')!) : undefined;
    const to = query.has('to') ? control.marked(query.get('to')!) : undefined;
    replyJson(response, 200, truthJson(live.simulation.truth(from, to), query.get('values') !== '0'));
  } catch (error) {
    throw new ApiError(400, (error as Error).message);
  }
}

/** A truth as plain JSON: times in ns since the start, values in the metric's own unit. */
export function truthJson(truth: Truth, withValues = true): object {
  return {
    from_ns: truth.fromNs,
    to_ns: truth.toNs,
    histograms: truth.histograms.map(({ name, labels, values }) => ({
      name,
      labels: Object.fromEntries(labels),
      count: values.length,
      sum: values.reduce((sum, value) => sum + value, 0),
      ...(withValues && { values: [...values] }),
    })),
    requests: truth.requests,
  };
}
