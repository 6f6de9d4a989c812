import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A server with a counter `work_total` on every path, which increases by 1 at each scrape. */
export interface MetricsServer {
  readonly url: string;
  /** Returns the number of scrapes of a path. */
  readonly countScrapes: (path?: string) => number;
  /** Sets the counter of a path, as if another process had started. */
  readonly setCounter: (value: number, path?: string) => void;
}

const METRICS_PATH = '/metrics';

/** Starts a server, which is closed at the end of the test. */
export async function startMetricsServer(): Promise<MetricsServer> {
  const scrapes = new Map<string, number>();
  const counters = new Map<string, number>();
  const server = createServer(({ url = '' }, response) => {
    scrapes.set(url, (scrapes.get(url) ?? 0) + 1);
    const value = (counters.get(url) ?? 0) + 1;
    counters.set(url, value);
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
    response.end(`# TYPE work_total counter\nwork_total ${value}\n`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countScrapes: (path = METRICS_PATH) => scrapes.get(path) ?? 0,
    setCounter: (value, path = METRICS_PATH) => void counters.set(path, value),
  };
}

/** Waits until a condition is true. The test fails by its timeout if it never is. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
