import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BodyEditName } from './body.ts';
import { bodyEdits } from './body.ts';
import type { Fault } from './fault.ts';

/** An answer as it would be if all went well. */
export interface Answer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

type Headers = Record<string, string | number>;

/** Spoils a body by all the faults that are about bodies. */
export function spoiltBody(body: string, faults: readonly Fault[]): string {
  const edits = faults.flatMap((fault): BodyEditName[] => (fault.kind === 'body' ? [fault.edit] : []));
  return edits.reduce((text, edit) => bodyEdits[edit](text), body);
}

/** Gives an answer with whatever goes wrong with it. Resolves when nothing more will be said. */
export async function giveAnswer(
  response: ServerResponse,
  answer: Answer,
  faults: readonly Fault[],
): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === 'stall') await pause(response, fault.seconds);
  }
  if (response.destroyed) return;
  const headers: Headers = { ...answer.headers, 'content-length': answer.bytes.length };
  for (const fault of faults) {
    if (fault.kind === 'content-type') mislabel(headers, fault.value);
  }
  const fault = faults.find(({ kind }) => !['stall', 'content-type', 'body'].includes(kind));
  if (fault) await goWrong(fault, response, { ...answer, headers });
  else response.writeHead(200, headers).end(answer.bytes);
}

async function goWrong(
  fault: Fault,
  response: ServerResponse,
  { path, headers, bytes }: { path: string; headers: Headers; bytes: Buffer },
): Promise<void> {
  switch (fault.kind) {
    case 'status':
      return refuse(response, fault.status);
    case 'html':
      return end(response, 200, 'text/html; charset=utf-8', htmlPage);
    case 'json':
      return end(response, 200, 'application/json', '[{"iter":1,"numActiveRequests":3}]');
    case 'truncate':
      return truncate(response, headers, bytes, fault.framing ?? 'content-length');
    case 'drip':
      return drip(response, headers, bytes, fault.seconds);
    case 'redirect':
      response.writeHead(307, { location: fault.to ?? `${path}/`, 'content-length': 0 }).end();
      return;
    case 'gzip-bomb':
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4', 'content-encoding': 'gzip' });
      response.end(bomb(fault.megabytes));
      return;
    case 'hang-up':
      response.destroy();
  }
}

const htmlPage =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n';

function end(response: ServerResponse, status: number, contentType: string, body: string): void {
  response
    .writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
    .end(body);
}

function refuse(response: ServerResponse, status: number): void {
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  // These may have no body (RFC 9110, 15.3.5 and 15.4.5).
  if (status === 204 || status === 304) response.writeHead(status).end();
  else end(response, status, 'text/plain; charset=utf-8', `simulated status ${status}\n`);
}

function mislabel(headers: Headers, contentType: string): void {
  if (contentType === '') delete headers['content-type'];
  else headers['content-type'] = contentType;
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

async function drip(
  response: ServerResponse,
  headers: Headers,
  bytes: Buffer,
  seconds: number,
): Promise<void> {
  const pieces = Math.max(1, Math.min(bytes.length, Math.ceil(seconds * 20)));
  const size = Math.ceil(bytes.length / pieces);
  response.writeHead(200, headers);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await pause(response, seconds / pieces);
  }
  response.end();
}

/** Waits, but no longer than the client does. */
async function pause(response: ServerResponse, seconds: number): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  await sleep(seconds * 1000, undefined, { signal: gone.signal }).catch(() => {});
  response.off('close', leave);
}

/** One megabyte of comment, compressed, so many times over: gzip members may follow one another (RFC 1952, 2.2). */
function bomb(megabytes: number): Buffer {
  const member = gzipSync(Buffer.from('# padding\n'.repeat(104858).slice(0, 1024 * 1024 - 1) + '\n'));
  return Buffer.concat(Array.from({ length: megabytes }, () => member));
}
