import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  toJson,
} from '../../../../packages/analysis/test/documents.ts';
import { writeTestFile } from './runReader.ts';

/**
 * Writes the JSON export of a run with a counter of generated tokens, which increases by about `rate` per second (±2%),
 * and a KV cache that is nearly full. Returns its path.
 */
export function writeExportedRun(folder: string, name: string, rate: number): string {
  const slices = [1.01, 0.99, 1.02, 0.98, 1.005, 0.995, 1.01, 0.99, 1, 1].map(factor => rate * factor);
  const metrics = {
    'vllm:generation_tokens': createMetric('counter', [createCounter(20 * rate, { slices })], 'tokens'),
    'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.9, { max: 0.99 })], 'ratio'),
  };
  return writeTestFile(folder, name, toJson(createDocument(metrics)));
}

/** A CSV export with a counter. */
export const CSV_EXPORT =
  'Endpoint,Type,Metric,Unit,total,rate,rate_avg,rate_min,rate_max,rate_std,Description\n' +
  'localhost:1,counter,vllm:generation_tokens,tokens,120,4,,,,,Tokens\n';
