import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EndpointStore, Layout, type Timeline } from '@org/core';

const BOUNDS = [0.1, 1, 10];

/** What the nth scrape of a run says: a counter, gauges that come one after the other, and a histogram. */
interface Said {
  readonly total: number;
  readonly gauges: readonly number[];
  readonly buckets: readonly number[];
  readonly sum: number;
}

function saidAt(run: number, scrape: number): Said {
  const buckets = BOUNDS.map((_, at) => (scrape + run) * (at + 1));
  return {
    total: 7 * scrape + run,
    gauges: Array.from({ length: 2 + Math.floor(scrape / 5) }, (_, at) => ((scrape * (at + 3)) % 11) / 8),
    buckets: [...buckets, (scrape + run) * 5],
    sum: (scrape + run) * 1.7,
  };
}

function bodyAt(run: number, scrape: number, noise: number): string {
  const { total, gauges, buckets, sum } = saidAt(run, scrape);
  const les = [...BOUNDS.map(String), '+Inf'];
  return [
    '# HELP requests_total Requests.\n# TYPE requests_total counter',
    `requests_total{run="${run}"} ${total}`,
    '# TYPE depth gauge',
    ...gauges.map((value, at) => `depth{queue="${at}"} ${value}`),
    '# TYPE wait_seconds histogram',
    ...buckets.map((count, at) => `wait_seconds_bucket{le="${les[at]}"} ${count}`),
    `wait_seconds_sum ${sum}`,
    `wait_seconds_count ${buckets.at(-1)}`,
    ...Array.from({ length: noise }, (_, at) => `noise{place="${at}"} ${Math.sin(scrape * (at + 1))}`),
    '',
  ].join('\n');
}

/**
 * A server whose every scrape is known beforehand, at /<run>/metrics; no scrape of a run is like another. What asks for
 * /<run>/until/<n> is answered when the run has been scraped that often.
 */
export class ScriptedServer {
  readonly #server: Server;
  /** By run: how many scrapes began, and how many answers were sent whole. */
  readonly begun: Map<number, number> = new Map<number, number>();
  readonly sent: Map<number, number> = new Map<number, number>();
  /** Called when a run is scraped, with how often it has been by then. */
  onScrape: (run: number, scrapes: number) => void = () => {};
  /** By run: those who wait until it has been scraped so often. */
  readonly #waiting: { readonly run: number; readonly scrapes: number; readonly response: ServerResponse }[] =
    [];

  /** `noise`: gauges that change all the time, which {@link scriptedStore} knows nothing of. */
  constructor(noise = 0) {
    this.#server = createServer((request, response) => {
      const [, first, page, count] = request.url!.split('/');
      const run = Number(first);
      const scrape = this.begun.get(run) ?? 0;
      if (page === 'until') {
        this.#waiting.push({ run, scrapes: Number(count), response });
        this.#answerWaiting();
        return;
      }
      this.begun.set(run, scrape + 1);
      response.on('finish', () => this.sent.set(run, (this.sent.get(run) ?? 0) + 1));
      response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
        .end(bodyAt(run, scrape, noise));
      this.onScrape(run, scrape + 1);
      this.#answerWaiting();
    });
  }

  #answerWaiting(): void {
    for (const { run, scrapes, response } of this.#waiting)
      if ((this.begun.get(run) ?? 0) >= scrapes && !response.writableEnded) response.end();
  }

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** The store of an uninterrupted run that was scraped at these times: what the server says, by its script. */
export function scriptedStore(
  run: number,
  { originNs, offsetsNs }: Timeline,
  latenciesNs: Float64Array,
): EndpointStore {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  const family = (name: string, type: 'counter' | 'gauge' | 'histogram', help = '') => ({ name, type, help });
  const total = layout.scalar(family('requests', 'counter', 'Requests.'), [['run', String(run)]]);
  const depth = family('depth', 'gauge');
  const wait = layout.histogram(family('wait_seconds', 'histogram'), []);
  const buckets = [...BOUNDS, Number.POSITIVE_INFINITY].map(le =>
    layout.bucket(wait, le, le === Number.POSITIVE_INFINITY ? '+Inf' : String(le)),
  );
  offsetsNs.forEach((offset, scrape) => {
    const said = saidAt(run, scrape);
    const gauges = said.gauges.map((_, at) => layout.scalar(depth, [['queue', String(at)]]).value);
    const values = new Float64Array(layout.slotCount).fill(Number.NaN);
    values[total.value] = said.total;
    said.gauges.forEach((value, at) => {
      values[gauges[at]!] = value;
    });
    said.buckets.forEach((count, at) => {
      values[buckets[at]!] = count;
    });
    values[wait.sum] = said.sum;
    values[wait.count] = said.buckets.at(-1)!;
    store.append({
      timestampNs: originNs + BigInt(offset),
      latencyNs: latenciesNs[scrape]!,
      changed: true,
      values,
    });
  });
  return store;
}
