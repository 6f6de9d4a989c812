import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  computeSeriesStatistics,
  EndpointStore,
  estimateLinearPercentiles,
  Layout,
  SeriesHistories,
} from '@org/core';
import { expect, test } from 'vitest';
import { ExpositionReader } from '../src/exposition/expositionReader.ts';

/** Pages of Dynamo 1.6.1 (frontend and mock workers), reduced to a few metrics. Profiling starts at 0 s. */
const PAGES_FOLDER = join(import.meta.dirname, 'files/dynamo-1.6.1');
const START_NS = 1_795_254_800_000_000_000n;

/** Reads pages that each follow a line such as `# scraped at 1.5 s`. */
function readPages(file: string): EndpointStore {
  const reader = new ExpositionReader(new Layout());
  const store = new EndpointStore(reader.layout);
  const [, ...pages] = readFileSync(join(PAGES_FOLDER, file), 'utf8').split('# scraped at ');
  for (const page of pages) {
    const [, seconds, body] = /^(\S+) s\n(.*)$/s.exec(page)!;
    const { values } = reader.read(Buffer.from(body!), 'classic');
    const timestampNs = START_NS + BigInt(Math.round(Number(seconds) * 1e9));
    store.append({ timestampNs, latencyNs: 5e6, changed: true, values: Float64Array.from(values) });
  }
  return store;
}

/** The increase of each series that was created in the run, by a part of its labels. */
function listCreated(file: string, outagesNs: [number, number][]): Record<string, number> {
  const store = readPages(file);
  const { originNs, offsetsNs } = store.timeline();
  const startNs = Number(START_NS - originNs);
  const period = { startNs, endNs: offsetsNs.at(-1)! };
  const outages = outagesNs.map(([from, to]) => [startNs + from * 1e9, startNs + to * 1e9] as const);
  const evidence = { outagesNs: outages, addressChangesNs: [], isComplete: true };
  const histories = new SeriesHistories(store, period, { evidence });
  return Object.fromEntries(
    store.layout.series.flatMap(series => {
      const options = { period, history: histories.get(series), estimator: estimateLinearPercentiles };
      const { stats } = computeSeriesStatistics(store, series, options)!;
      if (!('created_in_run' in stats)) return [];
      const labels = new Map(series.labels);
      return [[labels.get('dynamo_endpoint') ?? labels.get('status') ?? '', stats.increase as number]];
    }),
  );
}

test.each<[string, string, [number, number][], object]>([
  ['the first requests of a cold frontend', 'cold-frontend.txt', [], { success: 148 }],
  [
    'all requests of a worker that replaced another one after an outage, with new labels',
    'replaced-worker.txt',
    [[0.9, 6.7]],
    { generate: 359, worker_kv_query_source_a395f78464241: 1 },
  ],
  [
    'all requests of a frontend that started after the start of profiling',
    'late-frontend.txt',
    [],
    { success: 759 },
  ],
])('counts %s', (_, file, outagesNs, expected) => {
  expect(listCreated(file, outagesNs)).toEqual(expected);
});
