import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EndpointStore, Layout, type Timeline } from '@org/core';

const BOUNDS = [0.1, 1, 10];

/** The values of one scrape: a counter, gauges whose number grows, and a histogram. */
interface ScriptedValues {
  readonly total: number;
  readonly gauges: readonly number[];
  readonly buckets: readonly number[];
  readonly sum: number;
}

/** Computes the values of a scrape. They differ between all scrapes of a run. */
function computeValues(run: number, scrape: number): ScriptedValues {
  const buckets = BOUNDS.map((_, index) => (scrape + run) * (index + 1));
  return {
    total: 7 * scrape + run,
    gauges: Array.from(
      { length: 2 + Math.floor(scrape / 5) },
      (_, index) => ((scrape * (index + 3)) % 11) / 8,
    ),
    buckets: [...buckets, (scrape + run) * 5],
    sum: (scrape + run) * 1.7,
  };
}

function formatBody(run: number, scrape: number, noiseGauges: number): string {
  const { total, gauges, buckets, sum } = computeValues(run, scrape);
  const bounds = [...BOUNDS.map(String), '+Inf'];
  return [
    '# HELP requests_total Requests.\n# TYPE requests_total counter',
    `requests_total{run="${run}"} ${total}`,
    '# TYPE depth gauge',
    ...gauges.map((value, index) => `depth{queue="${index}"} ${value}`),
    '# TYPE wait_seconds histogram',
    ...buckets.map((count, index) => `wait_seconds_bucket{le="${bounds[index]}"} ${count}`),
    `wait_seconds_sum ${sum}`,
    `wait_seconds_count ${buckets.at(-1)}`,
    ...Array.from(
      { length: noiseGauges },
      (_, index) => `noise{index="${index}"} ${Math.sin(scrape * (index + 1))}`,
    ),
    '',
  ].join('\n');
}

/**
 * A server whose metrics are known for each scrape. /RUN/metrics returns the next page of a run. /RUN/until/N
 * responds when N scrapes of the run have started.
 */
export class ScriptedServer {
  readonly #server: Server;
  /** Number of scrapes that started, by run. */
  readonly started: Map<number, number> = new Map<number, number>();
  /** Number of responses that were sent completely, by run. */
  readonly sent: Map<number, number> = new Map<number, number>();
  /** Called at each scrape with the number of scrapes of the run, including this one. */
  onScrape: (run: number, scrapes: number) => void = () => {};
  readonly #waiting: { readonly run: number; readonly scrapes: number; readonly response: ServerResponse }[] =
    [];

  /**
   * `noiseGauges`: number of additional gauges that change in each scrape and that {@link createScriptedStore}
   * omits.
   */
  constructor(noiseGauges = 0) {
    this.#server = createServer((request, response) => {
      const [, runText, page, scrapesText] = request.url!.split('/');
      const run = Number(runText);
      const scrape = this.started.get(run) ?? 0;
      if (page === 'until') {
        this.#waiting.push({ run, scrapes: Number(scrapesText), response });
        this.#respondToWaiting();
        return;
      }
      this.started.set(run, scrape + 1);
      response.on('finish', () => this.sent.set(run, (this.sent.get(run) ?? 0) + 1));
      response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
        .end(formatBody(run, scrape, noiseGauges));
      this.onScrape(run, scrape + 1);
      this.#respondToWaiting();
    });
  }

  #respondToWaiting(): void {
    for (const { run, scrapes, response } of this.#waiting)
      if ((this.started.get(run) ?? 0) >= scrapes && !response.writableEnded) response.end();
  }

  /** Starts the server and returns its base URL. */
  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Creates the store that an uninterrupted run has if its scrapes are at the times of a timeline. */
export function createScriptedStore(
  run: number,
  { originNs, offsetsNs }: Timeline,
  latenciesNs: Float64Array,
): EndpointStore {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  const createFamily = (name: string, type: 'counter' | 'gauge' | 'histogram', help = '') => ({
    name,
    type,
    help,
  });
  const total = layout.scalar(createFamily('requests', 'counter', 'Requests.'), [['run', String(run)]]);
  const depth = createFamily('depth', 'gauge');
  const wait = layout.histogram(createFamily('wait_seconds', 'histogram'), []);
  const buckets = [...BOUNDS, Number.POSITIVE_INFINITY].map(le =>
    layout.bucket(wait, le, le === Number.POSITIVE_INFINITY ? '+Inf' : String(le)),
  );
  offsetsNs.forEach((offset, scrape) => {
    const expected = computeValues(run, scrape);
    const gauges = expected.gauges.map((_, index) => layout.scalar(depth, [['queue', String(index)]]).value);
    const values = new Float64Array(layout.slotCount).fill(Number.NaN);
    values[total.value] = expected.total;
    expected.gauges.forEach((value, index) => {
      values[gauges[index]!] = value;
    });
    expected.buckets.forEach((count, index) => {
      values[buckets[index]!] = count;
    });
    values[wait.sum] = expected.sum;
    values[wait.count] = expected.buckets.at(-1)!;
    store.append({
      timestampNs: originNs + BigInt(offset),
      latencyNs: latenciesNs[scrape]!,
      changed: true,
      values,
    });
  });
  return store;
}
