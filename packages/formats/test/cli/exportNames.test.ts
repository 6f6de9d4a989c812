import { expect, it } from 'vitest';
import { findExportPrefixes } from '../../src/cli/exportNames.ts';

it.each([
  ['server metrics', ['mine_server_metrics.parquet', 'mine.json'], ['mine']],
  ['timeslices', ['my_run_timeslices.csv'], ['my_run']],
  ['GPU telemetry', ['a_gpu_telemetry.jsonl'], ['a']],
  ['the console text of AIPerf', ['mine.json', 'mine.csv', 'mine_console.txt'], ['mine']],
  ['compressed exports', ['mine_server_metrics.json.gz'], ['mine']],
  [
    'the requests of a killed run of AIPerf',
    ['inputs.json', 'logs', 'mine.jsonl', 'mine_raw.jsonl'],
    ['mine'],
  ],
  ['no requests without a prefix', ['inputs.json', 'logs', 'profile_export.jsonl'], []],
  ['no other files', ['data.json', 'data.csv', 'data.jsonl', 'inputs.json'], []],
])('finds prefixes in the names of %s', (_, names, prefixes) => {
  expect([...findExportPrefixes(names)]).toEqual(prefixes);
});
