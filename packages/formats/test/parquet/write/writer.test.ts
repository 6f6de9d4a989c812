import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  openServerMetricsParquet,
  readServerMetricsParquet,
  type SeriesChunk,
} from '../../../src/parquet/index.ts';
import { buildHistogram, buildScalar, createTimestamps, listExpectedRows } from '../support/chunks.ts';
import { createTemporaryFolder, listLabelColumns, readRows, writeChunks } from '../support/files.ts';

const folder = createTemporaryFolder();
let pathCount = 0;
const createPath = () => join(folder, `${pathCount++}.parquet`);

const gauge = buildScalar('vllm:kv_cache_usage_perc', 'gauge', [0.25, 0.5, 0.5], {
  unit: 'ratio',
  description: 'KV-cache usage.',
  labels: { engine: '0', model_name: 'Qwen/Qwen3-0.6B' },
});
const counter = buildScalar('vllm:request_success', 'counter', [0, 12], {
  labels: { finished_reason: 'stop' },
});
const latency = buildHistogram(
  'vllm:e2e_request_latency_seconds',
  ['0.3', '1.0', '+Inf'],
  [
    [0, 1, 2],
    [1, 3, 5],
  ],
);

describe('rows', () => {
  test('are read back in the order of the chunks, histograms by timestamp', async () => {
    const path = createPath();
    const chunks = [latency, gauge, counter];
    const summary = await writeChunks(path, chunks);
    const columns = listLabelColumns(chunks);
    expect(columns).toEqual(['engine', 'finished_reason', 'model_name']);
    expect(await readRows(path)).toEqual(chunks.flatMap(chunk => listExpectedRows(chunk, columns)));
    expect(summary).toEqual({ rows: 11, rowGroups: 1, bytes: readFileSync(path).length });
  });

  test('metadata that is passed to close follows the metadata of the options', async () => {
    const path = createPath();
    const writer = await openServerMetricsParquet(path, { labelColumns: [], metadata: [['a', '1']] });
    await writer.close([['b', '2']]);
    const reader = await readServerMetricsParquet(path);
    expect([...reader.metadata]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
    await reader.close();
  });

  const cases: readonly (readonly [string, readonly SeriesChunk[]])[] = [
    [
      'labels named like object properties',
      [
        buildScalar('x', 'gauge', [1], {
          labels: JSON.parse('{"__proto__":"p","constructor":"c","le":"0.5"}'),
        }),
      ],
    ],
    [
      'labels with an empty value next to missing labels',
      [
        buildScalar('x', 'gauge', [1], { labels: { a: '' } }),
        buildScalar('x', 'gauge', [2], { labels: { b: 'ä\u{1F600}\0"' } }),
      ],
    ],
    [
      'label names outside ASCII and with commas and dots',
      [buildScalar('x', 'gauge', [1], { labels: { 'a.b,c': '1', größe: '2', '漢\u{1F600}': '3', '': '4' } })],
    ],
    ['empty HELP as null', [buildScalar('x', 'gauge', [1], { description: '' })]],
    [
      'timestamps at the ends of int64',
      [
        buildScalar('x', 'gauge', [1, 2, 3], {
          timestampsNs: BigInt64Array.of(-(2n ** 63n), 1765793061967310849n, 2n ** 63n - 1n),
        }),
      ],
    ],
    [
      'doubles at the ends of their range, and both zeros',
      [buildScalar('x', 'gauge', [-0, 0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53 + 2, 0.1, -0])],
    ],
    ['a histogram with one bucket', [buildHistogram('x', ['+Inf'], [[3], [4]])]],
    ['a chunk without timestamps', [buildScalar('x', 'gauge', []), buildHistogram('y', ['+Inf'], [])]],
    [
      'many distinct strings',
      [...Array(300).keys()].map(i =>
        buildScalar(`metric_${i}`, 'gauge', [i], { labels: { pod: `pod-${i}` } }),
      ),
    ],
    [
      'values that never repeat',
      [
        buildScalar(
          'x',
          'gauge',
          Array.from({ length: 5000 }, (_, i) => Math.sqrt(i)),
        ),
      ],
    ],
    ['the type unknown', [buildScalar('x', 'unknown', [1])]],
  ];
  test.each(cases)('keep %s', async (_, chunks) => {
    const path = createPath();
    await writeChunks(path, chunks);
    const columns = listLabelColumns(chunks);
    expect(await readRows(path)).toEqual(chunks.flatMap(chunk => listExpectedRows(chunk, columns)));
  });

  test('of a chunk in a larger buffer are read at its offset', async () => {
    const path = createPath();
    const values = Float64Array.of(9, 1, 2, 9).subarray(1, 3);
    await writeChunks(path, [
      { ...buildScalar('x', 'gauge', [0, 0]), values, timestampsNs: createTimestamps(4).subarray(2) },
    ]);
    expect((await readRows(path)).map(row => [row.value, row.timestamp_ns])).toEqual([
      [1, createTimestamps(4)[2]],
      [2, createTimestamps(4)[3]],
    ]);
  });
});

describe('row groups', () => {
  test.each([1, 2, 3, 4, 7, 1000])(
    'of %i rows contain all rows and complete observations',
    async rowGroupRows => {
      const path = createPath();
      const chunks = [latency, gauge, counter, latency, latency];
      const summary = await writeChunks(path, chunks, { rowGroupRows });
      expect(await readRows(path)).toEqual(
        chunks.flatMap(chunk => listExpectedRows(chunk, listLabelColumns(chunks))),
      );
      const reader = await readServerMetricsParquet(path);
      expect(reader.rowGroups).toBe(summary.rowGroups);
      for await (const { columns, rows } of reader) {
        const le = columns.get('bucket_le');
        const texts = le?.type === 'string' ? Array.from(le.codes, code => le.texts[code] ?? null) : [];
        expect(['0.3', null]).toContain(texts[0]);
        expect(['+Inf', null]).toContain(texts[rows - 1]);
      }
    },
  );

  test('end early if strings do not repeat, to limit the size of dictionaries', async () => {
    const path = createPath();
    const createHelp = (i: number) => `${i}`.padEnd(1_000_000, 'x');
    const chunks = [...Array(10).keys()].map(i =>
      buildScalar(`m${i}`, 'gauge', [i], { description: createHelp(i) }),
    );
    expect((await writeChunks(path, chunks)).rowGroups).toBe(2);
    expect((await readRows(path)).map(row => row.description)).toEqual(
      chunks.map(chunk => chunk.description),
    );
  });

  test('end before the next metric if they are at least half full', async () => {
    const path = createPath();
    const chunks = ['a', 'b', 'c'].map(name => buildScalar(name, 'gauge', Array(60).fill(1)));
    expect((await writeChunks(path, chunks, { rowGroupRows: 100 })).rowGroups).toBe(3);
  });
});

describe('an export without rows', () => {
  test('is a file with columns and metadata', async () => {
    const path = createPath();
    const options = { labelColumns: ['engine'], metadata: [['aiperf.schema_version', '1.0']] as const };
    const writer = await openServerMetricsParquet(path, options);
    expect(await writer.close()).toMatchObject({ rows: 0, rowGroups: 0 });
    const reader = await readServerMetricsParquet(path);
    expect(reader.columns).toHaveLength(12);
    expect(reader.metadata.get('aiperf.schema_version')).toBe('1.0');
    await reader.close();
  });
});

describe('the file', () => {
  test('appears when the writer is closed', async () => {
    const path = createPath();
    const writer = await openServerMetricsParquet(path, { labelColumns: [], metadata: [] });
    await writer.appendSeries(buildScalar('x', 'gauge', [1]));
    expect(existsSync(path)).toBe(false);
    await writer.close();
    expect(existsSync(path)).toBe(true);
  });

  test('is removed when the writer is aborted', async () => {
    const path = createPath();
    const before = readdirSync(folder);
    const writer = await openServerMetricsParquet(path, { labelColumns: [], metadata: [], rowGroupRows: 1 });
    await writer.appendSeries(buildScalar('x', 'gauge', [1, 2, 3]));
    await writer.abort();
    await writer.abort();
    expect(readdirSync(folder)).toEqual(before);
  });

  test('replaces an existing file only when the writer is closed', async () => {
    const path = createPath();
    await writeChunks(path, [gauge]);
    const writer = await openServerMetricsParquet(path, { labelColumns: [], metadata: [] });
    await writer.abort();
    expect(await readRows(path)).toHaveLength(3);
    await writeChunks(path, [counter]);
    expect(await readRows(path)).toHaveLength(2);
  });

  test('is deterministic', async () => {
    const paths = [createPath(), createPath()];
    for (const path of paths) await writeChunks(path, [latency, gauge]);
    expect(readFileSync(paths[0]!).equals(readFileSync(paths[1]!))).toBe(true);
  });
});

describe('when the disk is full', () => {
  test('the error is thrown, nothing more is written, and abort() cleans up', async () => {
    const before = readdirSync(folder);
    const probe = await open(createPath(), 'w');
    const write = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'write');
    await probe.close();
    const writer = await openServerMetricsParquet(createPath(), {
      labelColumns: [],
      metadata: [],
      rowGroupRows: 2,
    });
    write.mockRejectedValueOnce(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }));
    await expect(writer.appendSeries(buildScalar('x', 'gauge', [1, 2, 3]))).rejects.toThrow('ENOSPC');
    write.mockRestore();
    await expect(writer.appendSeries(buildScalar('x', 'gauge', [1]))).rejects.toThrow('the writer is failed');
    await expect(writer.close()).rejects.toThrow('the writer is failed');
    await writer.abort();
    // Only the file of the probe is added.
    expect(readdirSync(folder)).toHaveLength(before.length + 1);
  });
});

describe('an invalid call', () => {
  test('during another call throws, and the other call continues', async () => {
    const path = createPath();
    const writer = await openServerMetricsParquet(path, { labelColumns: [], metadata: [], rowGroupRows: 1 });
    const first = writer.appendSeries(buildScalar('x', 'gauge', [1, 2]));
    await expect(writer.appendSeries(buildScalar('y', 'gauge', [3]))).rejects.toThrow(
      'the writer is busy; await the previous call',
    );
    await first;
    await writer.close();
    expect((await readRows(path)).map(row => row.value)).toEqual([1, 2]);
  });

  test('to a closed writer throws, also after abort()', async () => {
    const writer = await openServerMetricsParquet(createPath(), { labelColumns: [], metadata: [] });
    await writer.close();
    await writer.abort();
    await expect(writer.appendSeries(gauge)).rejects.toThrow('the writer is closed');
    await expect(writer.close()).rejects.toThrow('the writer is closed');
  });

  test('with a label that has no column throws and leaves the writer usable', async () => {
    const path = createPath();
    const writer = await openServerMetricsParquet(path, { labelColumns: ['engine'], metadata: [] });
    await expect(writer.appendSeries(gauge)).rejects.toThrow('label "model_name" is not in labelColumns');
    await writer.appendSeries(buildScalar('x', 'gauge', [1], { labels: { engine: '0' } }));
    await writer.close();
    expect(await readRows(path)).toHaveLength(1);
  });

  test('with labels that have reserved names in any case omits these labels', async () => {
    const path = createPath();
    await writeChunks(path, [
      buildScalar('x', 'gauge', [1], { labels: { value: 'a', Value: 'b', SUM: 'c', sum2: 'd' } }),
    ]);
    expect(await readRows(path)).toMatchObject([{ value: 1, sum: null, sum2: 'd' }]);
  });
});
