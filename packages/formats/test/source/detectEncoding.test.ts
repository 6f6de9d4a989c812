import { expect, it } from 'vitest';
import { detectEncoding } from '../../src/source/detectEncoding.ts';

it.each([
  ['PAR1\x15\x04', undefined, 'parquet'],
  ['# AIPerf Server Metrics Export (CSV)\n', undefined, 'csv'],
  ['Endpoint,Type,Metric', 'x.json', 'csv'],
  ['Host,Type,Metric', undefined, 'csv'],
  ['\ufeffEndpoint,Type', undefined, 'csv'],
  ['{"endpoint_url": "u", "timestamp_ns": 1, "metrics": {}}\n', undefined, 'jsonl'],
  ['{"endpoint_url":"u","timestamp_ns":1', undefined, 'jsonl'],
  ['{\n  "endpoint_url": "u",\n  "timestamp_ns": 1', undefined, 'json'],
  ['{"session_num": 1}\n', 'profile_export.jsonl', 'jsonl'],
  ['{"schema_version": "1.0", "endpoint_url": 1}', undefined, 'json'],
  ['{"metadata": {"x_request_id": "r", "session_num": 0}, "metrics": {}}\n', undefined, 'jsonl'],
  ['{\n  "metadata": {"session_num": 0},\n  "metrics": {}', undefined, 'json'],
  ['{broken}\n{"metadata":{"session_num"', undefined, 'jsonl'],
  ['{"timeslices":[\n{"timeslice_index":0}\n]}', undefined, 'json'],
  ['{"schema_version":"1.0.0","metadata":{"aggregation_type":"detailed"}}\n', undefined, 'json'],
  ['Metric,avg,min', undefined, 'csv'],
  ['"Timeslice","Metric"', 'x.json', 'csv'],
  ['', undefined, 'json'],
  ['', 'x.csv', 'csv'],
  ['true', undefined, 'json'],
])('detects the encoding of %j with the file name %s: %s', (head, name, encoding) => {
  expect(detectEncoding({ head: Buffer.from(head), name })).toBe(encoding);
});
