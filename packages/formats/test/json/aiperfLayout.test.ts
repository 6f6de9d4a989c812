import { describe, expect, it, test } from 'vitest';
import type { ProfileExport, ProfileRecord, ServerMetricsDocument } from '../../src/index.ts';
import {
  type PhaseServerMetricsStream,
  selectAiperfTags,
  streamPhaseServerMetricsJson,
  streamServerMetricsJson,
  writeProfileExportCsv,
  writeProfileExportJson,
  writeProfileRecordLine,
  writeServerMetricsJson,
} from '../../src/write.ts';

const aiperf = { layout: 'aiperf' } as const;

function createExport(fields: Partial<ProfileExport> = {}): ProfileExport {
  return {
    schema_version: '1.3',
    aiperf_version: '0.13.0',
    benchmark_id: 'b',
    start_time: '2026-11-22T12:00:00.000Z',
    end_time: '2026-11-22T12:00:01.000Z',
    effective_latency: { unit: 'ms', avg: 1 },
    effective_concurrency: { unit: 'requests', avg: 2 },
    credit_to_start_latency: { unit: 'ms', avg: 1 },
    request_count: { unit: 'requests', avg: 4 },
    cancelled_request_count: { unit: 'requests', avg: 1 },
    requested_osl: { unit: 'tokens', avg: 1 },
    usage_prompt_tokens: { unit: 'tokens', avg: 1 },
    ...fields,
  } as ProfileExport;
}

const parse = (text: string): Record<string, never> => JSON.parse(text);

describe("a profile export in AIPerf's layout", () => {
  it('has only metrics that AIPerf exports, in its order', () => {
    const tags = Object.entries(parse(writeProfileExportJson(createExport(), aiperf))).flatMap(
      ([tag, value]) => (typeof value === 'object' && 'unit' in value ? [tag] : []),
    );
    expect(tags).toEqual([
      'request_count',
      'usage_prompt_tokens',
      'effective_concurrency',
      'credit_to_start_latency',
      'effective_latency',
    ]);
  });

  it.each([
    [undefined, true],
    [{ gpu_telemetry: { enabled: true } }, true],
    [{ gpu_telemetry: { enabled: false } }, false],
  ])('with the configuration %j has sections about GPUs: %s', (input_config, hasSection) => {
    const document = createExport(input_config ? { input_config } : {});
    expect('telemetry_data' in parse(writeProfileExportJson(document, aiperf))).toBe(hasSection);
    expect(writeProfileExportCsv(document, aiperf).includes('GPU_UUID')).toBe(hasSection);
  });

  it('writes a fraction in each number of the configuration that AIPerf stores as a float', () => {
    const input_config = {
      datasets: [{ name: 'main', entries: 5, prompts: { isl: { mean: 100, stddev: 5 } } }],
      phases: [
        { name: 'profiling', requests: 5, duration: 3, concurrency: 2, grace_period: 'inf', rate: 20 },
      ],
      artifacts: { dir: 'a', slice_duration: 2 },
    };
    const text = writeProfileExportJson(createExport({ input_config }), aiperf).replaceAll(/\s/g, '');
    expect(text).toContain(
      '"input_config":{"datasets":[{"name":"main","entries":5,"prompts":{"isl":{"mean":100.0,"stddev":5.0}}}],' +
        '"phases":[{"name":"profiling","requests":5,"duration":3.0,"concurrency":2,"grace_period":"inf","rate":20.0}],' +
        '"artifacts":{"dir":"a","slice_duration":2.0}}',
    );
  });
});

describe("a line of requests in AIPerf's layout", () => {
  const record = {
    metadata: { session_num: 0 },
    metrics: {
      request_latency: { value: 20, unit: 'ms' },
      inter_chunk_latency: { value: [1, 2.5], unit: 'ms' },
      output_sequence_length: { value: 8, unit: 'tokens' },
      osl_mismatch_diff_pct: { value: 0, unit: '%' },
      http_req_connection_reused: { value: 1, unit: 'ratio' },
      spec_decode_acceptance_length: { value: 3, unit: 'ratio' },
      usage_prompt_tokens: { value: 7, unit: 'tokens' },
    },
    error: null,
  } as unknown as ProfileRecord;

  it('writes a fraction in each number that AIPerf computes as a float', () => {
    const line = writeProfileRecordLine(record, aiperf);
    for (const text of [
      '"request_latency":{"value":20.0,"unit":"ms"}',
      '"inter_chunk_latency":{"value":[1.0,2.5],"unit":"ms"}',
      '"output_sequence_length":{"value":8,"unit":"tokens"}',
      '"osl_mismatch_diff_pct":{"value":0.0,"unit":"%"}',
      '"http_req_connection_reused":{"value":1,"unit":"ratio"}',
      '"spec_decode_acceptance_length":{"value":3.0,"unit":"ratio"}',
    ])
      expect(line).toContain(text);
  });

  it.each([
    ['chat', true],
    ['embeddings', false],
  ])('of %s contains the usage: %s', (endpointType, hasUsage) => {
    const line = writeProfileRecordLine(record, { ...aiperf, endpointType });
    expect(line.includes('usage_prompt_tokens')).toBe(hasUsage);
  });
});

/** Entries are streamed; an array would be written as a list. */
function entriesOf(values: object): Iterable<unknown> {
  return Object.entries(values).values();
}

describe('server metrics of a phase', () => {
  const createDocument = (): PhaseServerMetricsStream =>
    ({
      schema_version: 1,
      warnings: [],
      phase: { phase_name: 'warmup', start_ns: 1n },
      data: {
        start_ns: 1n,
        endpoint_summaries: entriesOf({
          'localhost:1': {
            endpoint_url: 'http://localhost:1/metrics',
            info: { total_fetches: 2 },
            metrics: entriesOf({
              requests: {
                type: 'counter',
                description: 'd',
                unit: 'requests',
                series: [{ stats: { total: 4, rate: 2, increase: 4 } }],
              },
            }),
          },
        }),
      },
    }) as unknown as PhaseServerMetricsStream;
  const write = (layout: 'servelens' | 'aiperf'): string =>
    [...streamPhaseServerMetricsJson(createDocument(), { layout })].join('').replaceAll(/\s/g, '');

  it("have sorted keys, and no units or additional fields in AIPerf's layout", () => {
    expect(write('aiperf')).toBe(
      '{"data":{"endpoint_summaries":{"localhost:1":{"endpoint_url":"http://localhost:1/metrics",' +
        '"info":{"total_fetches":2},"metrics":{"requests":{"description":"d","series":[{"stats":{"rate":2.0,' +
        '"total":4.0}}],"type":"counter"}}}},"start_ns":1},"phase":{"phase_name":"warmup","start_ns":1},' +
        '"schema_version":1,"warnings":[]}',
    );
  });

  it('have units and additional fields by default', () => {
    expect(write('servelens')).toContain('"stats":{"increase":4.0,"rate":2.0,"total":4.0}');
    expect(write('servelens')).toContain('"unit":"requests"');
  });
});

test("server metrics in AIPerf's layout write a fraction in the numbers of the configuration", () => {
  const document = {
    summary: { endpoints_configured: [], endpoints_successful: [], endpoint_info: {} },
    metrics: {},
    input_config: { phases: [{ rate: 2 }] },
  } as unknown as ServerMetricsDocument;
  expect(writeServerMetricsJson(document, aiperf)).toContain('"rate": 2.0');
  expect(writeServerMetricsJson(document)).toContain('"rate": 2\n');
});

test.each([{ phases: { profiling: { rate: 2 } } }, { phases: 'none', datasets: null, artifacts: [1] }])(
  "a configuration of another program is written as is in AIPerf's layout: %j",
  input_config => {
    const document = {
      summary: { endpoints_configured: [], endpoints_successful: [], endpoint_info: {} },
      metrics: {},
      input_config,
    } as unknown as ServerMetricsDocument;
    const text = [...streamServerMetricsJson(document, aiperf)].join('');
    expect(JSON.parse(text).input_config).toEqual(input_config);
    expect(JSON.parse(writeServerMetricsJson(document, aiperf)).input_config).toEqual(input_config);
  },
);

test('tags in aggregates are those that AIPerf exports, in its order', () => {
  expect(
    selectAiperfTags([
      'effective_latency',
      'requested_osl',
      'usage_total_tokens',
      'request_latency',
      'adj_request_latency',
    ]),
  ).toEqual(['request_latency', 'usage_total_tokens', 'adj_request_latency', 'effective_latency']);
});
