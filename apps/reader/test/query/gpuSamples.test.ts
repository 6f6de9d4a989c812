import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createQueriedRuns, queryRows } from '../support/queries.ts';

const { folder, runA } = createQueriedRuns('query-gpus');

/** Returns a line of gpu_telemetry_export.jsonl. The time has more digits than a double. */
function formatSample(second: number, gpu: number, data: object): string {
  const { timestamp_ns: _, ...fields } = {
    timestamp_ns: 0,
    gpu_index: gpu,
    gpu_uuid: `GPU-${gpu}`,
    gpu_model_name: 'NVIDIA H100',
    hostname: 'node1',
    platform: 'nvidia',
    telemetry_source_url: 'http://node1:9400/metrics',
    telemetry_data: data,
  };
  return `${JSON.stringify(fields).slice(0, -1)},"timestamp_ns":180000000${second}000000001}`;
}

function createRun(name: string, lines: readonly string[]): string {
  const run = join(folder, name);
  cpSync(runA, run, { recursive: true });
  writeFileSync(join(run, 'gpu_telemetry_export.jsonl'), lines.map(line => `${line}\n`).join(''));
  return run;
}

test('the view gpu_samples contains every metric of every sample', async () => {
  const run = createRun('gpus', [
    formatSample(0, 0, { nvidia_power_usage: 300, nvidia_xid_errors: 0 }),
    formatSample(0, 1, { nvidia_power_usage: 100.5 }),
    formatSample(1, 0, { nvidia_power_usage: 320 }),
    '{"gpu_index": 0, "gpu_uu',
  ]);
  const rows = await queryRows(
    run,
    `SELECT source, hostname, gpu_index::INTEGER AS gpu, gpu_uuid, gpu_name, timestamp_ns::VARCHAR AS ns, metric_name, value
     FROM gpu_samples ORDER BY ns, gpu, metric_name`,
  );
  const gpu = (index: number, second: number) => ({
    source: 'http://node1:9400/metrics',
    hostname: 'node1',
    gpu: index,
    gpu_uuid: `GPU-${index}`,
    gpu_name: 'NVIDIA H100',
    ns: `180000000${second}000000001`,
  });
  expect(rows).toEqual([
    { ...gpu(0, 0), metric_name: 'nvidia_power_usage', value: 300 },
    { ...gpu(0, 0), metric_name: 'nvidia_xid_errors', value: 0 },
    { ...gpu(1, 0), metric_name: 'nvidia_power_usage', value: 100.5 },
    { ...gpu(0, 1), metric_name: 'nvidia_power_usage', value: 320 },
  ]);
  const statistics = await queryRows(
    run,
    `SELECT gpu_index::INTEGER AS gpu, avg(value) AS watts FROM gpu_samples
     WHERE metric_name = 'nvidia_power_usage' GROUP BY gpu_index ORDER BY gpu_index`,
  );
  expect(statistics).toEqual([
    { gpu: 0, watts: 310 },
    { gpu: 1, watts: 100.5 },
  ]);
});

test('the view gpu_samples is empty for a run without GPUs', async () => {
  expect(await queryRows(runA, 'SELECT * FROM gpu_samples')).toEqual([]);
});
