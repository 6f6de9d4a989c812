import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimatePolynomialPercentiles } from '@org/core';
import type { ServerMetricsDocument } from '@org/formats';
import { fromPath, readServerMetricsJson } from '@org/formats/read';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StatisticsWindow } from '../../src/exportFormats.ts';
import { openRunRecord } from '../../src/open/openRunRecord.ts';
import { findSampleFiles } from '../../src/open/sampleFiles.ts';
import { createExportView } from '../../src/view/exportView.ts';
import { createServerMetricsDocument } from '../../src/view/serverMetrics.ts';

const FILES = new URL('../files/aiperf-0.13/', import.meta.url).pathname;
const JSON_NAME = 'server_metrics_export.json';
const JSONL_NAME = 'server_metrics_export.jsonl';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aiperf-run-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const edit = (name: string, change: (text: string) => string): void => {
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};

async function open() {
  return openRunRecord(await findSampleFiles(folder, undefined), undefined);
}

async function compute(window: StatisticsWindow, sliceSeconds?: number): Promise<ServerMetricsDocument> {
  const { record } = await open();
  return createServerMetricsDocument(createExportView(record, { window }), {
    estimator: estimatePolynomialPercentiles,
    ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
  });
}

async function readExported(): Promise<ServerMetricsDocument> {
  return (await readServerMetricsJson(fromPath(join(folder, JSON_NAME)))) as ServerMetricsDocument;
}

/** Lists the numbers of a document, with their paths. */
function listNumbers({ metrics }: ServerMetricsDocument): Map<string, number> {
  const numbers = new Map<string, number>();
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'number' || typeof value === 'bigint') numbers.set(path, Number(value));
    else if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) add(`${path}.${key}`, child);
  };
  for (const [name, { series }] of Object.entries(metrics))
    for (const { endpoint_url, labels, ...statistics } of series)
      add(`${name} ${endpoint_url} ${JSON.stringify(labels ?? {})}`, statistics);
  return numbers;
}

/** Counts the numbers of AIPerf's export that the computed document reproduces, and lists the others. */
function compareNumbers(expected: ServerMetricsDocument, computed: ServerMetricsDocument) {
  const numbers = listNumbers(computed);
  const counts = { exact: 0, close: 0, different: [] as string[] };
  for (const [path, value] of listNumbers(expected)) {
    const found = numbers.get(path) ?? Number.NaN;
    if (found === value) counts.exact++;
    else if (Math.abs(found - value) <= 1e-9 * Math.abs(value)) counts.close++;
    else counts.different.push(`${path}: ${value}, computed ${found}`);
  }
  return counts;
}

describe('a run of AIPerf with a warm-up', () => {
  beforeEach(() => cpSync(join(FILES, 'warmup'), folder, { recursive: true }));

  test('has the statistics that AIPerf exported in its window', async () => {
    const { exact, close, different } = compareNumbers(await readExported(), await compute('aiperf', 1));
    expect(different).toEqual([]);
    expect(exact).toBe(244);
    expect(close).toBeLessThan(20);
  });

  test('has rates of the profiling phase, from the last warm-up scrape to the first scrape after the phase', async () => {
    const { metrics, summary } = await compute('profiling');
    const exported = (await readExported()).metrics['vllm:generation_tokens']!.series[0]!.stats as {
      rate: number;
      total: number;
    };
    const { rate, total } = metrics['vllm:generation_tokens']!.series[0]!.stats as typeof exported;
    expect(total).toBe(exported.total);
    expect(rate).toBeGreaterThan(1.5 * exported.rate);
    expect([summary.profiling_start_ns, summary.profiling_end_ns]).toEqual([
      1795433871226755057n,
      1795433873445354617n,
    ]);
  });

  test('has averages of gauges without the time after the load', async () => {
    const running = (document: ServerMetricsDocument) =>
      (document.metrics['vllm:num_requests_running']!.series[0]!.stats as { avg: number }).avg;
    expect(running(await compute('profiling'))).toBeGreaterThan(1.5 * running(await readExported()));
  });

  test.each([
    ['New York', -5],
    ['Kathmandu', 5.75],
  ])('exports the same figures if it was made in %s', async (_place, hours) => {
    const expected = listNumbers(await compute('profiling'));
    shiftTimes(hours);
    expect(listNumbers(await compute('profiling'))).toEqual(expected);
  });

  test.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
    'has the same times if it is read in %s',
    async zone => {
      const previous = process.env.TZ;
      process.env.TZ = zone;
      try {
        const { record } = await open();
        expect(record.period.startNs).toBe(1795433871226755057n);
        expect(record.startNs).toBe(1795433858768592961n);
        expect(record.summary!.start_time).toBe('2026-11-23T11:37:38.768592Z');
      } finally {
        if (previous === undefined) delete process.env.TZ;
        else process.env.TZ = previous;
      }
    },
  );

  test.each([0, -5, 5.75])(
    'determines the time zone from the scrapes, for a file without phases with times %s h from UTC',
    async hours => {
      edit(JSON_NAME, text => text.replace(/"phase_time_ranges": \{[^}]*\}[^}]*\}\s*\}/, '"x": {}'));
      shiftTimes(hours);
      const { record, warnings } = await open();
      expect(warnings).toEqual([]);
      expect(record.period).toEqual({ startNs: 1795433871226755000n, endNs: 1795433873445355000n });
    },
  );

  test('uses the tags of the scrapes if the time zone is undetermined', async () => {
    edit(JSON_NAME, text =>
      text
        .replace(/"phase_time_ranges": \{[^}]*\}[^}]*\}\s*\}/, '"x": {}')
        .replace(/"start_time": "[^"]*"/, '"start_time": "2026-11-23T03:03:03"'),
    );
    const { record, warnings } = await open();
    expect(warnings).toEqual([expect.stringMatching(/does not record the end of the profiling phase/)]);
    expect(record.period.startNs).toBe(1795433872015747963n);
  });

  test('is read as far as possible if the last line is incomplete', async () => {
    edit(JSONL_NAME, text => text.slice(0, -200));
    const { record, warnings } = await open();
    expect(record.endpoints[0]!.store.frameCount).toBe(19);
    expect(warnings).toEqual([
      expect.stringMatching(/^line 20 of the JSONL export is incomplete/),
      expect.stringMatching(/^1 scrape of .* is missing/),
    ]);
  });

  test('names the files that cannot be read if no file has samples', async () => {
    edit(JSON_NAME, text => text.slice(0, 300));
    writeFileSync(join(folder, 'server_metrics_export.parquet'), 'not Parquet');
    await expect(open()).rejects.toThrow(/jsonl: .*; cannot export from .*parquet: .*not a Parquet file/);
  });

  test('reads JSONL if the Parquet export cannot be read', async () => {
    writeFileSync(join(folder, 'server_metrics_export.parquet'), 'not Parquet');
    expect((await open()).from).toBe('jsonl');
  });

  function shiftTimes(hours: number): void {
    const shift = (time: string): string =>
      new Date(Date.parse(`${time.slice(0, 23)}Z`) + hours * 3_600_000).toISOString().slice(0, 23) +
      time.slice(23);
    edit(JSON_NAME, text =>
      text.replace(/"(start|end)_time": "([^"]*)"/g, (_, edge, time) => `"${edge}_time": "${shift(time)}"`),
    );
  }
});

describe('a run of AIPerf with unchanged scrapes', () => {
  beforeEach(() => cpSync(join(FILES, 'unchanged'), folder, { recursive: true }));

  test('names the number of scrapes whose times are unknown', async () => {
    const { warnings } = await open();
    expect(warnings).toEqual([
      expect.stringMatching(/^10 scrapes of http:\/\/127\.0\.0\.1:24103\/metrics had an unchanged body/),
    ]);
  });

  test("has AIPerf's figures if copies of the omitted scrapes are added", async () => {
    // AIPerf's average of running requests, 16 / 13, requires two copies of the fourth line and seven of the last.
    const addCopies = (line: string, count: number): string[] =>
      Array.from({ length: count }, (_, copy) =>
        line
          .replace(
            /"timestamp_ns":(\d+)/,
            (_, ns) => `"timestamp_ns":${BigInt(ns) + 1000n * BigInt(copy + 1)}`,
          )
          .replace('"benchmark_phase":"warmup"', '"benchmark_phase":"profiling"'),
      );
    edit(JSONL_NAME, text => {
      const lines = text.trimEnd().split('\n');
      const completed = [...lines.slice(0, 4), ...addCopies(lines[3]!, 2), ...lines.slice(4)];
      // The time of the last copy is known from the JSON export.
      return `${[...completed, ...addCopies(lines.at(-1)!, 6)].join('\n')}\n`;
    });
    edit(JSON_NAME, text => text.replace(/"unique_updates": 8/, '"unique_updates": 16'));
    expect(compareNumbers(await readExported(), await compute('aiperf')).different).toEqual([]);
  });

  test('ends with the last scrape that AIPerf made, so that its totals and rates are reproduced', async () => {
    const { different } = compareNumbers(await readExported(), await compute('aiperf'));
    // The other unchanged scrapes are in no export of AIPerf. They count for gauges and as references of rates.
    const unexpected = different.filter(path => !/num_running_reqs|_rate:|\.rate:/.test(path));
    expect(unexpected).toEqual([]);
    const { record } = await open();
    const { originNs, offsetsNs } = record.endpoints[0]!.store.timeline();
    const { summary } = await readExported();
    expect(originNs + BigInt(offsetsNs.at(-1)!)).toBe(Object.values(summary.endpoint_info)[0]!.last_fetch_ns);
  });
});
