import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkAccess, type Resource } from './access.ts';
import { Browsers } from './browsers.ts';
import type { LivePage } from './livePage.ts';

const HOST = '127.0.0.1';
const MAX_CONNECTIONS = 64;
/** The time in milliseconds that browsers have to fetch the final report before the server stops. */
const FINAL_MS = 10_000;

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Shown until the run has started. */
const WAITING_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<title>servelens</title></head><body><p>The run has not started yet. This page reloads every second.</p></body></html>
`;

/** Thrown if the port cannot be used. The message is for the user. */
export class PortError extends Error {
  override readonly name: string = 'PortError';
}

/** The server of the page of an active run. */
export interface LiveServer {
  readonly url: string;
  /** The number of browsers that show the page. */
  readonly browsers: number;
  /** Sends the final state, waits until the browsers have fetched the report, and stops. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves a page on the loopback address, under a random token. Port 0 is any free port.
 *
 * @throws PortError if the port cannot be used
 */
export async function startLiveServer(page: LivePage, port: number): Promise<LiveServer> {
  const token = randomBytes(18).toString('base64url');
  const browsers = new Browsers(page);
  const reports = new Set<ServerResponse>();
  let savedReports = 0;
  const server = createServer((request, response) => {
    respond(request, response).catch(error => sendText(response, 500, (error as Error).message));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, port);
  const { port: actualPort } = server.address() as AddressInfo;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url: path = '/' } = request;
    const access = checkAccess({ method, host: headers.host, path }, actualPort, token);
    if ('resource' in access) return await sendResource(access.resource, request, response);
    const { status, message, location } = access;
    sendText(response, status, message, {
      ...(location && { location }),
      ...(status === 405 && { allow: 'GET, HEAD' }),
    });
  }

  async function sendResource(
    resource: Resource,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const isHead = request.method === 'HEAD';
    if (resource === 'events' && !isHead) return browsers.add(request, response);
    await page.refresh();
    const isReport = resource === 'report';
    const html = isReport ? page.renderReport() : page.renderPage();
    response.writeHead(html === undefined && isReport ? 404 : 200, {
      ...HEADERS,
      'content-type': 'text/html; charset=utf-8',
      ...(isReport && { 'content-disposition': 'attachment; filename="server_metrics_report.html"' }),
    });
    if (isReport) reports.add(response.on('close', () => reports.delete(response)));
    if (isReport && page.isFinal) savedReports++;
    response.end(isHead ? undefined : (html ?? WAITING_PAGE));
  }

  async function close(): Promise<void> {
    browsers.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  return {
    url: `http://${HOST}:${actualPort}/${token}/`,
    get browsers() {
      return browsers.count;
    },
    close,
    async finish() {
      page.isFinal = true;
      const count = browsers.count;
      await browsers.sendFinal();
      const deadline = performance.now() + FINAL_MS;
      while (performance.now() < deadline && (savedReports < count || reports.size > 0) && browsers.count > 0)
        await new Promise(resolve => setTimeout(resolve, 50));
      await close();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new PortError(`port ${port} is in use; choose another port, or 0 for any free port`);
    if (code === 'EACCES')
      throw new PortError(
        `port ${port} needs special rights; choose a port above 1023, or 0 for any free port`,
      );
    throw new PortError(`cannot serve the page at port ${port}: ${message}`);
  }
}

function sendText(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!response.headersSent)
    response.writeHead(status, { ...HEADERS, ...headers, 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}
