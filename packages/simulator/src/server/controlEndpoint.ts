import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../faults/fault.ts';
import type { Control } from './control.ts';
import { ApiError, readJsonObject, sendJson } from './jsonApi.ts';

const COMMANDS: readonly string[] = ['clear', 'fault', 'faults', 'mark', 'refuse', 'restart'];

/**
 * Handles POST /control. The body may contain `fault` or `faults`, `clear: true`, `restart` (true, or the downtime
 * in seconds), `refuse` (seconds) and `mark` (a name). The response lists the active faults.
 */
export async function handleControl(
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJsonObject(request);
  for (const name of Object.keys(body)) {
    if (!COMMANDS.includes(name))
      throw new ApiError(400, `"${name}" is not a command; the commands are ${COMMANDS.join(', ')}`);
  }
  try {
    if (body.clear === true) control.clear();
    if (body.fault !== undefined) control.inject(body.fault as Fault);
    if (Array.isArray(body.faults)) control.inject(...(body.faults as Fault[]));
    if (typeof body.mark === 'string') control.mark(body.mark);
  } catch (error) {
    throw new ApiError(400, (error as Error).message);
  }
  sendJson(response, 200, { faults: control.faults });
  // Send the response before a restart or an outage closes its connection.
  response.once('finish', () => void applyDisruptions(control, body));
}

async function applyDisruptions(
  control: Control,
  { restart, refuse }: Record<string, unknown>,
): Promise<void> {
  if (restart === true || typeof restart === 'number') await control.restart(restart === true ? 0 : restart);
  if (typeof refuse === 'number' && refuse > 0) await control.refuse(refuse);
}
