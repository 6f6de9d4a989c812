import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EndpointStore, Layout } from '@org/core';
import { ExpositionReader } from '@org/scrape/exposition';

/** The recorded samples of a trace, by endpoint URL. */
export type Trace = ReadonlyMap<string, EndpointStore>;

interface Scrape {
  readonly endpoint_url: string;
  readonly timestamp_ns: string;
  readonly latency_ns: number;
  readonly body: string;
}

/** Reads a trace file, which contains one scrape per line as JSON, with a body in the classic exposition format. */
export function readTrace(folder: string, name: string): Trace {
  const stores = new Map<string, EndpointStore>();
  const readers = new Map<string, ExpositionReader>();
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
    if (line === '') continue;
    const scrape = JSON.parse(line) as Scrape;
    const url = scrape.endpoint_url;
    const reader = readers.get(url) ?? new ExpositionReader(new Layout());
    const store = stores.get(url) ?? new EndpointStore(reader.layout);
    readers.set(url, reader);
    stores.set(url, store);
    const { values, changed } = reader.read(Buffer.from(scrape.body), 'classic');
    store.append({
      timestampNs: BigInt(scrape.timestamp_ns),
      latencyNs: scrape.latency_ns,
      changed,
      values,
    });
  }
  return stores;
}
