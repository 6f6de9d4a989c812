import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  AggregateMetric,
  ProfileAggregate,
  ProfileCollated,
  ProfileExport,
  ProfileMetric,
  ProfileRecord,
  ProfileTimeslices,
} from '../src/index.ts';
import { PROFILE_EXPORT_VERSIONS } from '../src/json/profileVersion.ts';
import {
  listProfileMetrics,
  listTimesliceMetrics,
  readProfileAggregate,
  readProfileCollated,
  readProfileExport,
  readProfileMetrics,
  readProfileRecords,
  readProfileTimeslices,
} from '../src/read.ts';
import { validate } from '../src/validate/validate.ts';
import {
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileExportCsv,
  writeProfileExportJson,
  writeProfileRecordLine,
  writeProfileTimeslicesCsv,
  writeProfileTimeslicesJson,
} from '../src/write.ts';

const propertyOptions = { numRuns: 30 };
const startNs = 1_772_000_000_000_000_000n;

/** Any text, including formulas and line breaks. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('=1+1', "'=x", '@a', '\t', 'a\nb', 'a\\nb', '__proto__', '"', ','),
);
const tag = fc.oneof(
  fc.constantFrom('time_to_first_token', 'output_sequence_length', 'http_req_dns_lookup', 'error_isl'),
  fc.stringMatching(/^my_[a-z][a-z0-9]{0,5}(_[a-z][a-z0-9]{0,4}){0,2}$/),
);
const unit = fc.constantFrom('ms', 'tokens', 'tokens/sec/user', '%', 'count', 'requests', '=cmd', '');

/** The values of a metric, with their unit. */
const unitAndValues = fc.tuple(
  unit,
  fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 8 }),
);
/** A consistent metric block: the statistics of generated values. */
const distribution = unitAndValues.map(([unit, values]): ProfileMetric => {
  const sorted = [...values].sort((a, b) => a - b);
  const sum = sorted.reduce((a, b) => a + b, 0);
  const avg = Math.min(sorted.at(-1)!, Math.max(sorted[0]!, sum / sorted.length));
  const getPercentile = (percent: number): number =>
    sorted[Math.round(((sorted.length - 1) * percent) / 100)]!;
  const [p1, p5, p10, p25, p50, p75, p90, p95, p99] = [1, 5, 10, 25, 50, 75, 90, 95, 99].map(getPercentile);
  const squares = sorted.reduce((a, b) => a + (b - avg) ** 2, 0);
  const std = sorted[0] === sorted.at(-1) ? 0 : Math.sqrt(squares / (sorted.length - 1));
  return {
    ...{ unit, avg, p1: p1!, p5: p5!, p10: p10!, p25: p25!, p50: p50!, p75: p75!, p90: p90!, p95: p95! },
    ...{ p99: p99!, min: sorted[0]!, max: sorted.at(-1)!, std, count: sorted.length, sum },
  };
});
const single = fc
  .tuple(unit, fc.double({ min: 0, max: 1e9, noNaN: true }))
  .map(([unit, avg]): ProfileMetric => ({ unit, avg }));
const blocks = fc
  .tuple(
    fc.dictionary(tag, distribution, { maxKeys: 4 }),
    fc.dictionary(fc.constantFrom('goodput', 'my_single'), single),
  )
  .map(([distributions, singles]) => ({ ...distributions, ...singles }));

/** Converts an integer as a reader does: to a number if a double prints the same digits. */
const toReadInteger = (integer: bigint): number | bigint =>
  String(Number(integer)) === String(integer) ? Number(integer) : integer;

const profile = fc
  .record({
    blocks,
    id: fc.uuid(),
    version: text,
    label: text,
    seed: fc.option(fc.bigInt(0n, 2n ** 63n - 1n)),
  })
  .map(
    ({ blocks, id, version, label, seed }): ProfileExport => ({
      schema_version: '1.3',
      aiperf_version: version,
      benchmark_id: id,
      ...blocks,
      start_time: '2026-02-25T06:13:20Z',
      end_time: '2026-02-25T06:13:25Z',
      was_cancelled: false,
      input_config: {},
      run_info: {
        benchmark_id: id,
        random_seed: seed === null ? null : toReadInteger(seed),
        trial: 0,
        run_label: label,
        variation_label: 'base',
        variation_index: 0,
        variation_values: {},
      },
    }),
  );

/** Expects that validation reports no errors. Warnings are allowed. */
const expectValid = async (text: string): Promise<void> => {
  const { valid, issues } = await validate(text);
  expect({ valid, issues: issues.filter(({ severity }) => severity === 'error') }).toEqual({
    valid: true,
    issues: [],
  });
};

describe('written documents are valid and read back', () => {
  it('as a profile export of each version', async () => {
    await fc.assert(
      fc.asyncProperty(profile, fc.constantFrom(...PROFILE_EXPORT_VERSIONS), async (document, version) => {
        const text = writeProfileExportJson(document, { schemaVersion: version });
        await expectValid(text);
        const readBack = await readProfileExport(text);
        expect(readBack.schema_version).toBe(version);
        expect([...listProfileMetrics(readBack).keys()].sort()).toEqual(
          [...listProfileMetrics(document).keys()].sort(),
        );
        expect('run_info' in readBack).toBe(version >= '1.2');
        if (version === '1.3') expect(readBack).toEqual(document);
        for (const metric of listProfileMetrics(readBack).values())
          if (version === '1.0') expect(metric).not.toHaveProperty('count');
      }),
      propertyOptions,
    );
  });

  it('as a profile CSV, except counts', async () => {
    await fc.assert(
      fc.asyncProperty(profile, async document => {
        const metrics = listProfileMetrics(document);
        const text = writeProfileExportCsv(document);
        if (metrics.size === 0) return;
        await expectValid(text);
        const readBack = await readProfileMetrics(text);
        const expected = [...metrics].map(([tag, { count: _count, ...metric }]) => [tag, metric] as const);
        expect(Object.fromEntries(readBack)).toEqual(Object.fromEntries(expected));
      }),
      propertyOptions,
    );
  });

  it("as a profile CSV in AIPerf's layout, to two decimals", async () => {
    await fc.assert(
      fc.asyncProperty(profile, async document => {
        const text = writeProfileExportCsv(document, { layout: 'aiperf' });
        if (text === '') return;
        await expectValid(text);
        expect(text).not.toMatch(/[^\r]\n/);
        const readBack = await readProfileMetrics(text);
        // Half of the last decimal, plus floating-point noise.
        for (const [tag, metric] of listProfileMetrics(document))
          expect(Math.abs(readBack.get(tag)!.avg! - metric.avg!)).toBeLessThanOrEqual(0.0051);
      }),
      propertyOptions,
    );
  });

  const slices = fc.array(blocks, { minLength: 1, maxLength: 4 }).map(
    (sliceBlocks): ProfileTimeslices => ({
      timeslices: sliceBlocks.map((blocks, index) => ({
        timeslice_index: index,
        start_ns: startNs + BigInt(index) * 5_000_000_001n,
        end_ns: startNs + BigInt(index + 1) * 5_000_000_001n,
        ...blocks,
      })),
      input_config: {},
    }),
  );

  it('as timeslices', async () => {
    await fc.assert(
      fc.asyncProperty(slices, async document => {
        const text = writeProfileTimeslicesJson(document);
        await expectValid(text);
        expect(await readProfileTimeslices(text)).toEqual(document);
      }),
      propertyOptions,
    );
  });

  it('as a timeslices CSV, except times', async () => {
    await fc.assert(
      fc.asyncProperty(slices, async document => {
        const text = writeProfileTimeslicesCsv(document);
        const filled = document.timeslices.filter(slice => listTimesliceMetrics(slice).size > 0);
        if (filled.length === 0) return;
        await expectValid(text);
        const readBack = await readProfileTimeslices(text);
        expect(readBack.timeslices.map(slice => slice.timeslice_index)).toEqual(
          filled.map(slice => slice.timeslice_index),
        );
        readBack.timeslices.forEach((slice, index) => {
          expect(Object.fromEntries(listTimesliceMetrics(slice))).toEqual(
            Object.fromEntries(listTimesliceMetrics(filled[index]!)),
          );
        });
      }),
      propertyOptions,
    );
  });

  const aggregated = fc
    .array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 3 })
    .map((values): AggregateMetric => {
      const [min, max] = [Math.min(...values), Math.max(...values)];
      const mean = Math.min(max, Math.max(min, values.reduce((a, b) => a + b, 0) / 3));
      const std = min === max ? 0 : Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / 2);
      const se = std / Math.sqrt(3);
      const interval = { ci_low: mean - 4.3 * se, ci_high: mean + 4.3 * se, t_critical: 4.3 };
      return { mean, std, min, max, cv: mean === 0 ? null : std / mean, se, ...interval, unit: 'ms' };
    });

  it('as an aggregate', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, aggregated, { maxKeys: 4 }), text, async (metrics, error) => {
        const document: ProfileAggregate = {
          schema_version: '1.0',
          metadata: {
            aggregation_type: 'confidence',
            num_profile_runs: 4,
            num_successful_runs: 3,
            failed_runs: [{ label: 'run_0002', error }],
            confidence_level: 0.95,
          },
          metrics,
        };
        const text = writeProfileAggregateJson(document);
        await expectValid(text);
        expect(await readProfileAggregate(text)).toEqual(document);
      }),
      propertyOptions,
    );
  });

  const runStats = fc.record({
    mean: fc.double({ min: 0, max: 1e6, noNaN: true }),
    count: fc.integer({ min: 1, max: 1000 }),
  });
  const collated = fc.array(runStats, { minLength: 1, maxLength: 4 }).map(runs => {
    const count = runs.reduce((sum, run) => sum + run.count, 0);
    const mean = runs.reduce((sum, run) => sum + (run.mean * run.count) / count, 0);
    return {
      combined: { mean, std: 0, p50: mean, p90: mean, p95: mean, p99: mean, count },
      per_run: runs.map((run, index) => ({ label: `run_${index}`, ...run })),
    };
  });

  it('as collated runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, collated, { maxKeys: 3 }), async metrics => {
        const document: ProfileCollated = {
          schema_version: '1.0.0',
          metadata: {
            aggregation_type: 'detailed',
            num_profile_runs: 4,
            num_successful_runs: 4,
            failed_runs: [],
          },
          metrics,
        };
        const text = writeProfileCollatedJson(document);
        await expectValid(text);
        expect(await readProfileCollated(text)).toEqual(document);
      }),
      propertyOptions,
    );
  });

  const record = fc
    .record({
      session: fc.nat(),
      id: text,
      offsetNs: fc.bigInt(0n, 10n ** 15n),
      firstTokenNs: fc.integer({ min: 1, max: 1_000_000 }),
      gapNs: fc.integer({ min: 1, max: 1_000_000 }),
      tokens: fc.integer({ min: 2, max: 50 }),
      failed: fc.boolean(),
      message: text,
    })
    .map(({ session, id, offsetNs, firstTokenNs, gapNs, tokens, failed, message }): ProfileRecord => {
      const request_start_ns = startNs + offsetNs;
      const latencyNs = firstTokenNs + gapNs * (tokens - 1);
      const toMilliseconds = (ns: number): { value: number; unit: string } => ({
        value: ns / 1e6,
        unit: 'ms',
      });
      return {
        metadata: {
          session_num: session,
          x_request_id: id,
          request_start_ns,
          request_ack_ns: request_start_ns + BigInt(firstTokenNs),
          request_end_ns: request_start_ns + BigInt(latencyNs),
          benchmark_phase: 'profiling',
          was_cancelled: false,
        },
        metrics: failed
          ? {}
          : {
              request_latency: toMilliseconds(latencyNs),
              time_to_first_token: toMilliseconds(firstTokenNs),
              inter_token_latency: toMilliseconds(gapNs),
              inter_chunk_latency: { value: [gapNs / 1e6, 1], unit: 'ms' },
              output_sequence_length: { value: tokens, unit: 'tokens' },
            },
        trace_data: {
          trace_type: 'undici',
          request_send_start_ns: request_start_ns,
          request_chunks: [[request_start_ns | 1n, 5]],
        },
        error: failed ? { code: 500, type: 'HTTPError', message } : null,
      };
    });

  it('as request records, line by line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 4 }), async generated => {
        const records = generated.map((item, index) => ({
          ...item,
          metadata: { ...item.metadata, x_request_id: `${index} ${item.metadata.x_request_id ?? ''}` },
        }));
        const text = records.map(record => `${writeProfileRecordLine(record)}\n`).join('');
        const { valid, issues } = await validate(text, { strict: true });
        expect({ valid, issues }).toEqual({ valid: true, issues: [] });
        const readBack: ProfileRecord[] = [];
        for await (const record of readProfileRecords(text)) readBack.push(record);
        expect(readBack).toEqual(records);
      }),
      propertyOptions,
    );
  });
});
