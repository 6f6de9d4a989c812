import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Page } from '../profiles/profile.ts';
import type { Live } from './live.ts';

/** Answers a scrape of one page as it is at the present. Anything but GET is not allowed, HEAD included. */
export function answerScrape(
  live: Live,
  page: Page,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method !== 'GET') {
    response.writeHead(405, { allow: 'GET', 'content-length': 0 }).end();
    return;
  }
  live.catchUp();
  const { body, contentType } = page.read(request.headers.accept ?? '');
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  let bytes = Buffer.from(body);
  if (page.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    bytes = gzipSync(bytes);
    headers['content-encoding'] = 'gzip';
  }
  response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
}
