import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScrapeFault } from './fault.ts';

/** The response to send if no fault is active. */
export interface PlannedResponse {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

type Headers = Record<string, string | number>;

/**
 * Sends a response with the given faults: all stalls, then the first fault that replaces the response. Metrics have
 * been omitted from the body before. Resolves when the faults have been applied.
 */
export async function sendFaultyResponse(
  response: ServerResponse,
  planned: PlannedResponse,
  faults: readonly ScrapeFault[],
): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === 'stall') await pause(response, fault.seconds);
  }
  if (response.destroyed) return;
  const headers: Headers = { ...planned.headers, 'content-length': planned.bytes.length };
  const fault = faults.find(({ kind }) => kind !== 'stall' && kind !== 'omit');
  if (fault) await sendFault(fault, response, { ...planned, headers });
  else response.writeHead(200, headers).end(planned.bytes);
}

async function sendFault(
  fault: ScrapeFault,
  response: ServerResponse,
  { path, headers, bytes }: { path: string; headers: Headers; bytes: Buffer },
): Promise<void> {
  switch (fault.kind) {
    case 'status':
      return sendStatus(response, fault.status);
    case 'html':
      return sendText(response, 200, 'text/html; charset=utf-8', HTML_PAGE);
    case 'truncate':
      return truncate(response, headers, bytes, fault.framing ?? 'content-length');
    case 'redirect':
      response.writeHead(307, { location: fault.to ?? `${path}/`, 'content-length': 0 }).end();
  }
}

const HTML_PAGE =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n';

function sendText(response: ServerResponse, status: number, contentType: string, body: string): void {
  response
    .writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
    .end(body);
}

function sendStatus(response: ServerResponse, status: number): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  // Responses with these statuses have no body (RFC 9110, sections 15.3.5 and 15.4.5).
  if (status === 204 || status === 304) response.writeHead(status).end();
  else sendText(response, status, 'text/plain; charset=utf-8', `simulated status ${status}\n`);
}

async function truncate(
  response: ServerResponse,
  headers: Headers,
  bytes: Buffer,
  framing: 'content-length' | 'chunked',
): Promise<void> {
  if (framing === 'chunked') delete headers['content-length'];
  response.writeHead(200, headers);
  await new Promise<void>(resolve => response.write(bytes.subarray(0, bytes.length >>> 1), () => resolve()));
  response.destroy();
}

/** Waits for a number of seconds, or until the client disconnects. */
async function pause(response: ServerResponse, seconds: number): Promise<void> {
  const disconnected = new AbortController();
  const abort = (): void => disconnected.abort();
  response.once('close', abort);
  await sleep(seconds * 1000, undefined, { signal: disconnected.signal }).catch(() => {});
  response.off('close', abort);
}
