import type { CostRecord } from '@org/record';
import { exportRun, type RunExports } from '@org/run/export';
import { countColumns } from '@org/terminal/layout';
import { expect, test } from 'vitest';
import {
  createEndpointRecord,
  createRunRecord,
  HEALTHY,
} from '../../../../packages/record/test/support/runRecord.ts';
import { formatCost, logLosses, printRun } from '../../src/screens/runSummary.ts';
import { createIo } from '../support/io.ts';
import { createTestLog } from '../support/log.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const RECORD = createRunRecord(
  [
    createEndpointRecord('http://a:1/metrics', { depth: 'gauge' }, [
      [0, { depth: 1 }],
      [1, { depth: 3 }],
    ]),
  ],
  0,
  1,
);

async function exportRecord(folder: string): Promise<RunExports> {
  return exportRun(RECORD, {
    folder,
    formats: ['json', 'csv'],
    percentileMethod: 'linear',
    batchSize: 100,
  });
}

test('prints the summary, and the paths relative to the working directory with their sizes', async () => {
  const folder = makeTestFolder();
  const io = createIo(folder);
  const log = createTestLog();
  printRun(RECORD, await exportRecord(folder), { out: io.stdout, io, log });
  const text = io.out.join('');
  expect(text).toContain('Server metrics');
  expect(text).toMatch(/^ {2}server_metrics_export\.json {2}[\d.]+ (?:B|KiB)$/m);
  expect(text).toMatch(/^ {2}server_metrics_export\.csv {2}\d+ B$/m);
  expect(log.lines).toEqual([]);
});

test.each([120, 80, 50])(
  'the final screen of collect fits %i columns, with long names and GPUs',
  async width => {
    const url = `http://inference-${'gateway-'.repeat(8)}a.example.org:8000/metrics`;
    const family = `requests_${'in_a_queue_with_a_long_name_'.repeat(3)}count`;
    const record = createRunRecord(
      [
        createEndpointRecord(url, { [family]: 'gauge' }, [
          [0, { [family]: 1 }],
          [1, { [family]: 3 }],
        ]),
      ],
      0,
      1,
    );
    const folder = makeTestFolder();
    const io = createIo(folder, { NO_COLOR: '1' });
    const out = Object.assign(io.stdout, { isTTY: true, columns: width, rows: 50 });
    const exports = await exportRun(record, { folder, formats: ['json'], percentileMethod: 'linear' });
    const energy = { platform: 'nvidia', gpu_count: 8, source: 'power', gap_seconds: 12 };
    const document = {
      gpu_metrics: {
        nvidia_average_gpu_power: { unit: 'W', avg: 651.2 },
        nvidia_total_gpu_energy: { unit: 'J', avg: 943.8 },
        nvidia_energy_per_output_token: { unit: 'mJ/token', avg: 989.3 },
        nvidia_energy_per_request: { unit: 'joules/request', avg: 23.595 },
      },
      gpu_energy: [energy],
      gpu_notes: ['the GPUs of a host that is not the host of a server were left out'],
      token_source: 'server',
    } as unknown as NonNullable<Parameters<typeof printRun>[3]>['document'];
    printRun(record, exports, { out, io, log: createTestLog() }, { document, files: [] });
    const lines = io.out.join('').split('\n');
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(width);
    const text = lines.map(line => line.trim()).join('');
    expect(text).toContain(url);
    expect(lines.map(line => line.trim()).join(' ')).toContain('the energy is interpolated there');
  },
);

test('logs exports that could not be written', async () => {
  const folder = makeTestFolder();
  const io = createIo(folder);
  const log = createTestLog();
  const exports = await exportRecord(folder);
  const results = exports.results.map(result => ({ ...result, failure: 'the disk is full' }));
  printRun(RECORD, { ...exports, results }, { out: io.stdout, io, log });
  expect(io.out.join('')).not.toContain('server_metrics_export');
  expect(log.lines).toEqual([
    'error: json export failed: the disk is full',
    'error: csv export failed: the disk is full',
  ]);
});

test('logs data that could not be exported', async () => {
  const log = createTestLog();
  const exports = await exportRecord(makeTestFolder());
  const endpoint = { ...RECORD.endpoints[0]!, health: { ...HEALTHY, unsupported: ['a', 'b'] } };
  logLosses(
    { ...RECORD, endpoints: [endpoint, endpoint] },
    {
      ...exports,
      shortenedNames: ['long'],
      excludedLabels: ['value'],
      slicedByInterval: ['http://a:1/metrics'],
      skippedSummaries: ['rpc_seconds'],
    },
    log,
  );
  expect(log.lines).toEqual([
    expect.stringMatching(/^warning: metric names that exceed .*: long$/),
    expect.stringMatching(/^warning: labels that have the name .* Parquet export: value$/),
    'warning: --slice-duration is shorter than the update interval of http://a:1/metrics; each sample interval is a timeslice',
    'warning: metrics of unsupported types are not exported: a, b',
    'info: summary metrics are exported only with --json-layout legacy: rpc_seconds',
  ]);
});

const INTERVALS = {
  configured_interval_ms: 333,
  effective_interval_ms: 333,
  max_interval_ms: 333,
  interval_backoffs: 0,
};
const QUICK: CostRecord = {
  ...INTERVALS,
  scrape_latency_p50_ms: 2,
  scrape_latency_p99_ms: 8,
  bytes_decoded: 2048,
};
const SLOW: CostRecord = {
  ...INTERVALS,
  scrape_latency_p50_ms: 150,
  scrape_latency_p99_ms: 900,
  bytes_decoded: 6144,
};
const NO_RESPONSE: CostRecord = { ...INTERVALS, bytes_decoded: 0 };
const SCRAPING = { scrapes: 4, cpu_ms: 5, cpu_ms_per_scrape: 1.25 };

const createRun = (...costs: CostRecord[]) =>
  createRunRecord(
    costs.map((cost, index) => ({
      ...createEndpointRecord(
        `http://e${index}`,
        { a: 'gauge' },
        cost === NO_RESPONSE
          ? []
          : [
              [0, { a: 1 }],
              [1, { a: 2 }],
            ],
      ),
      health: { ...HEALTHY, cost },
    })),
    0,
    1,
  );

test.each([
  [
    'one endpoint',
    [QUICK],
    'scraping: 4 scrapes, p50 2 ms, p99 8 ms, 1 KiB per scrape, 1.25 ms CPU per scrape',
  ],
  [
    'the slowest of several endpoints',
    [QUICK, SLOW, NO_RESPONSE],
    'scraping: 4 scrapes, p50 150 ms, p99 900 ms on the slowest endpoint, 2 KiB per scrape, 1.25 ms CPU per scrape',
  ],
  ['no endpoint that responded', [NO_RESPONSE], undefined],
])('formats the cost of %s', (_name, costs, line) => {
  expect(formatCost({ ...createRun(...costs), scraping: SCRAPING })).toBe(line);
});

test('formats no cost for runs that did not record it', () => {
  expect(formatCost(createRun(QUICK))).toBeUndefined();
});
