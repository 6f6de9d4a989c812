import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandom } from '../measure/random.ts';
import { formatBuckets, listFamilies, listUrls, START_NS } from './jsonExport.ts';

/** Time between two scrapes of an endpoint, in nanoseconds. */
const INTERVAL_NS = 1_440_000_000n;

/**
 * Writes the scrapes of all endpoints as JSONL: the samples of the run that `writeJsonExport` summarizes, with one line per
 * scrape.
 */
export function writeRecordsExport(file: string, endpoints: number, scrapes: number): void {
  const out = openSync(file, 'w');
  try {
    const urls = listUrls(endpoints);
    const next = createRandom(7);
    for (let scrape = 0; scrape < scrapes; scrape++) {
      const lines = urls.map(url => formatRecord(url, scrape, next));
      writeSync(out, `${lines.join('\n')}\n`);
    }
  } finally {
    closeSync(out);
  }
}

function formatRecord(url: string, scrape: number, next: () => number): string {
  const labels = '"labels": {"engine": "0", "model_name": "meta-llama/Llama-3.1-8B-Instruct"}';
  const metrics = listFamilies().map(([name, type]) => {
    const total = 100 * (scrape + 1);
    const values =
      type === 'gauge'
        ? `"value": ${100 * next()}`
        : type === 'counter'
          ? `"value": ${Math.round(total * next())}`
          : `"sum": ${total * next()}, "count": ${total}, "buckets": ${formatBuckets(total)}`;
    return `"vllm:${name}": [{${labels}, ${values}}]`;
  });
  const time = START_NS + BigInt(scrape) * INTERVAL_NS;
  return `{"endpoint_url": "${url}", "timestamp_ns": ${time}, "endpoint_latency_ns": 2500000, "metrics": {${metrics.join(', ')}}}`;
}
