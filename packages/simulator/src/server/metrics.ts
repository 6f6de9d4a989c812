import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { giveAnswer, spoiltBody } from '../faults/answer.ts';
import type { FaultPlan } from '../faults/plan.ts';
import type { Page } from '../profiles/profile.ts';
import type { Live } from './live.ts';

/** Answers a scrape of one page as it is at the present. Anything but GET is not allowed, HEAD included. */
export async function answerScrape(
  live: Live,
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
  let bytes: Buffer = Buffer.from(spoiltBody(body, faults));
  if (page.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    bytes = gzipSync(bytes);
    headers['content-encoding'] = 'gzip';
  }
  await giveAnswer(response, { path, headers, bytes }, faults);
}
