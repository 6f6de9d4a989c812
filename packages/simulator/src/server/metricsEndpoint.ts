import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FaultPlan } from '../faults/faultPlan.ts';
import { sendFaultyResponse } from '../faults/faultyResponse.ts';
import { omitMetrics } from '../faults/omitMetrics.ts';
import type { Page } from '../profiles/profile.ts';
import type { LiveSimulation } from './liveSimulation.ts';

/** Handles a scrape of one page. Rejects methods other than GET, including HEAD, with status 405. */
export async function handleScrape(
  live: LiveSimulation,
  page: Page,
  plan: FaultPlan,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET') {
    response.writeHead(405, { allow: 'GET', 'content-length': 0 }).end();
    return;
  }
  const path = new URL(request.url!, 'http://localhost').pathname;
  const faults = plan.take(page.name, path);
  live.catchUp();
  const { body, contentType } = page.read(request.headers.accept ?? '');
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  let bytes: Buffer = Buffer.from(omitMetrics(body, faults));
  if (page.supportsGzip && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    bytes = gzipSync(bytes);
    headers['content-encoding'] = 'gzip';
  }
  await sendFaultyResponse(response, { path, headers, bytes }, faults);
}
