import { expect, test } from 'vitest';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';
import { readWords } from './readOptions.ts';

const folder = makeSuiteFolder();

test.each<[string, string[]]>([
  ['randomSeed: 7', ['--random-seed=7']],
  ['noSweepTable: true', ['--no-sweep-table']],
  ['benchmark: { model: m }', ['--model=m']],
  ['benchmark: { models: [a, b] }', ['--model=a', '--model=b']],
  [
    'benchmark: { models: { strategy: random, items: [{ name: a }, { name: b }] } }',
    ['--model-selection-strategy=random', '--model=a', '--model=b'],
  ],
  ['model: m', ['--model=m']],
])('reads models and the seed in %s', async (text, words) => {
  expect(await readWords(folder, text)).toEqual(words);
});

test.each<[string, string[]]>([
  ['enabled: true, pingInterval: 2', ['--network-latency-automatic', '--network-latency-ping-interval=2']],
  ['enabled: true, mean_ms: 3', ['--network-latency-mean=3']],
  ['enabled: false, meanMs: 3', []],
  ['meanMs: 3', []],
])('reads networkLatency: { %s }', async (text, words) => {
  expect(await readWords(folder, `benchmark: { networkLatency: { ${text} } }`)).toEqual(words);
});

test('reads groups of limits of a search', async () => {
  const filter = 'metricTag: request_latency, stat: avg, op: lt';
  const text = `sweep:
  type: adaptive_search
  slaTiers:
    - { label: fast, filters: [{ ${filter}, threshold: 5 }, { ${filter}, threshold: 6 }] }
    - { filters: [{ ${filter}, threshold: 9 }] }`;
  expect(await readWords(folder, text)).toEqual([
    '--search-sla-tier=fast:request_latency:avg:lt:5,request_latency:avg:lt:6',
    '--search-sla-tier=tier_2:request_latency:avg:lt:9',
  ]);
});

test.each<[string, string[]]>([
  ['url: "h:1"', ['--url=h:1']],
  ['urls: ["h:1", "h:2"]', ['--url=h:1', '--url=h:2']],
  ['streaming: false', ['--streaming=false']],
  ['use_server_token_count: true', ['--use-server-token-count']],
  ['useServerTokenCount: false', []],
  ['headers: { A: b, C: 1 }', ['--header=A: b', '--header=C: 1']],
  ['extra: { top_k: 3, o: { a: [1] } }', ['--extra-inputs={"top_k":3,"o":{"a":[1]}}']],
  [
    'template: { body: "{{ text }}", responseField: a.b }',
    ['--extra-inputs={"payload_template":"{{ text }}"}', '--extra-inputs={"response_field":"a.b"}'],
  ],
  ['apiKey: k', ['--api-key=k']],
  ['path: /v1/x', ['--endpoint=/v1/x']],
  ['resetKvCache: true', ['--reset-kv-cache']],
  ['resetKvCache: { path: /r }', ['--reset-kv-cache', '--reset-kv-cache-path=/r']],
  ['waitForModelTimeout: 0', []],
  ['waitForModelTimeout: 9', ['--wait-for-model-timeout=9']],
])('reads endpoint: { %s }', async (text, words) => {
  expect(await readWords(folder, `benchmark: { endpoint: { ${text} } }`)).toEqual(words);
});

test.each<[string, string[]]>([
  ['isl: 9, osl: 8', ['--synthetic-input-tokens-mean=9', '--output-tokens-mean=8']],
  [
    'prompts: { isl: { mean: 9, stddev: 2 } }',
    ['--synthetic-input-tokens-mean=9', '--synthetic-input-tokens-stddev=2'],
  ],
  ['isl: { value: 9 }', ['--synthetic-input-tokens-mean=9']],
  ['isl: { type: fixed, value: 9 }', ['--synthetic-input-tokens-mean=9']],
  ['isl: { mean: 9, median: 5 }', ['--synthetic-input-tokens-mean={"mean":9,"median":5}']],
  ['osl: { mean: 9, stddev: 2, max: 12 }', ['--output-tokens-mean={"mean":9,"stddev":2,"max":12}']],
  [
    'isl: { peaks: [{ mean: 9, stddev: 2, weight: 3 }, { mean: 5 }] }, osl: { points: [{ value: 1 }, { value: 2 }] }',
    [
      '--synthetic-input-tokens-mean={"peaks":[{"mean":9,"stddev":2,"weight":3},{"mean":5}]}',
      '--output-tokens-mean={"points":[{"value":1},{"value":2}]}',
    ],
  ],
  ['turns: { mean: 4, max: 6 }', ['--conversation-turn-mean={"mean":4,"max":6}']],
  [
    'prompts: { sequenceDistribution: [{ isl: { mean: 9, median: 5 }, osl: 4, probability: 100 }] }',
    ['--seq-dist={"pairs":[{"isl":{"mean":9,"median":5},"osl":4,"prob":100}]}'],
  ],
  [
    'prompts: { sequenceDistribution: [{ isl: 9, islStddev: 1, osl: 4, probability: 60 }, { isl: 5, osl: 3, probability: 40 }] }',
    ['--seq-dist=9|1,4:60;5,3:40'],
  ],
  ['entries: 5', ['--num-dataset-entries=5']],
  ['turns: { mean: 4, stddev: 1 }', ['--conversation-turn-mean=4', '--conversation-turn-stddev=1']],
  ['turnDelay: 1500, turn_delay_ratio: 1.0', ['--conversation-turn-delay-mean=1500']],
  ['prefixPrompts: { poolSize: 3, length: 9 }', ['--prompt-prefix-pool-size=3', '--prompt-prefix-length=9']],
  ['prompts: { batchSize: 1 }', []],
  ['prompts: { batchSize: 4 }', ['--prompt-batch-size=4']],
  [
    'images: { width: { mean: 9, stddev: 1 }, format: png }',
    ['--image-width-mean=9', '--image-width-stddev=1', '--image-format=png'],
  ],
  [
    'type: file, path: a.jsonl, format: mooncake_trace',
    ['--input-file=a.jsonl', '--custom-dataset-type=mooncake_trace'],
  ],
  [
    'type: file, path: a, synthesis: { speedupRatio: 2, maxIsl: 9, promptLenMultiplier: 1.0 }',
    ['--input-file=a', '--synthesis-speedup-ratio=2', '--synthesis-max-isl=9'],
  ],
  ['type: public, dataset: sharegpt', ['--public-dataset=sharegpt']],
])('reads dataset: { %s }', async (text, words) => {
  expect(await readWords(folder, `benchmark: { dataset: { ${text} } }`)).toEqual(words);
});

test('reads the requests of a file, and writes them to an input file', async () => {
  const text =
    'benchmark: { dataset: { type: file, records: [{ text: a }, { text: b, output_length: 3 }] } }';
  const [word] = await readWords(folder, text);
  expect(word).toMatch(/^--input-file=.*records\.jsonl$/);
});

test.each<[string, string[]]>([
  ['concurrency: 4', ['--concurrency=4']],
  ['concurrency: 4, requests: 9, sessions: 3', ['--concurrency=4', '--request-count=9', '--num-sessions=3']],
  ['duration: 5m, gracePeriod: inf', ['--benchmark-duration=5m', '--benchmark-grace-period=inf']],
  ['concurrencyRamp: 10s', ['--concurrency-ramp-duration=10s']],
  ['concurrency_ramp: { duration: 10, strategy: linear }', ['--concurrency-ramp-duration=10']],
  [
    'cancellation: { rate: 10, delay: 0.5 }',
    ['--request-cancellation-rate=10', '--request-cancellation-delay=0.5'],
  ],
])('reads a phase of type concurrency with %s', async (text, words) => {
  expect(await readWords(folder, `benchmark: { profiling: { type: concurrency, ${text} } }`)).toEqual(words);
});

test.each<[string, string[]]>([
  ['type: poisson, rate: 5', ['--request-rate=5', '--arrival-pattern=poisson']],
  [
    'type: gamma, rate: 5, smoothness: 2, rateRamp: 9',
    [
      '--request-rate=5',
      '--arrival-smoothness=2',
      '--request-rate-ramp-duration=9',
      '--arrival-pattern=gamma',
    ],
  ],
  ['type: user_centric, users: 3, rate: 2', ['--num-users=3', '--user-centric-rate=2']],
  [
    'type: fixed_schedule, startOffset: 5, endOffset: 9',
    ['--fixed-schedule-start-offset=5', '--fixed-schedule-end-offset=9', '--fixed-schedule'],
  ],
])('reads a phase with %s, as a mapping and in a list', async (text, words) => {
  expect(await readWords(folder, `benchmark: { phases: { ${text} } }`)).toEqual(words);
  expect(await readWords(folder, `benchmark: { phases: [{ name: profiling, ${text} }] }`)).toEqual(words);
});

test.each<[string, string, string[]]>([
  [
    'concurrency',
    'type: concurrency, requests: 5',
    ['--concurrency=4', '--warmup-request-count=5', '--warmup-concurrency=1'],
  ],
  [
    'concurrency',
    'type: poisson, duration: 5, rate: 2, concurrency: 1',
    [
      ...['--concurrency=4', '--warmup-duration=5', '--warmup-request-rate=2', '--warmup-concurrency=1'],
      '--warmup-arrival-pattern=poisson',
    ],
  ],
  [
    'poisson, rate: 9',
    'type: concurrency, sessions: 5, concurrency: 2',
    [
      ...['--request-rate=9', '--concurrency=4', '--arrival-pattern=poisson'],
      ...['--num-warmup-sessions=5', '--warmup-concurrency=2', '--warmup-request-rate=inf'],
    ],
  ],
])('with profiling of type %s, reads the warm-up { %s }', async (profiling, warmup, words) => {
  const load = `type: ${profiling}, concurrency: 4`;
  expect(await readWords(folder, `benchmark: { warmup: { ${warmup} }, profiling: { ${load} } }`)).toEqual(
    words,
  );
  expect(
    await readWords(
      folder,
      `benchmark: { phases: [{ name: a, excludeFromResults: true, ${warmup} }, { name: b, ${load} }] }`,
    ),
  ).toEqual(words);
});

test.each<[string, string[]]>([
  ['slos: { a: 5, b: 2.5 }', ['--goodput=a:5', '--goodput=b:2.5']],
  ['tokenizer: { name: builtin, revision: main }', ['--tokenizer=builtin']],
  [
    'artifacts: { dir: d, prefix: p, summary: [json], records: [jsonl], sliceDuration: 10s }',
    ['--artifact-dir=d', '--profile-export-prefix=p', '--slice-duration=10s'],
  ],
  ['artifacts: { raw: true, records: false }', ['--export-level=raw']],
  ['artifacts: { records: false }', ['--export-level=summary']],
  ['serverMetrics: "h:1"', ['--server-metrics=h:1']],
  [
    'server_metrics: { discovery: { mode: kubernetes, label_selector: app=vllm, namespace: llm, timeout_seconds: 5 } }',
    [
      '--discovery=kubernetes',
      '--discovery-label-selector=app=vllm',
      '--discovery-namespace=llm',
      '--discovery-timeout=5',
    ],
  ],
  ['serverMetrics: { discovery: { namespace: llm } }', ['--discovery=auto', '--discovery-namespace=llm']],
  ['serverMetrics: { discovery: { mode: disabled, namespace: llm } }', ['--discovery=disabled']],
  [
    'serverMetrics: { enabled: true, urls: ["h:1"], formats: [json] }',
    ['--server-metrics=h:1', '--server-metrics-formats=json'],
  ],
  ['serverMetrics: { enabled: false, urls: ["h:1"], formats: [json] }', ['--no-server-metrics']],
  ['gpuTelemetry: { enabled: false }', ['--no-gpu-telemetry']],
  ['gpu_telemetry: { collector: pynvml }', ['--gpu-telemetry=pynvml']],
  ['gpuTelemetry: { collector: dcgm, urls: ["h:1"] }', ['--gpu-telemetry=h:1']],
  ['runtime: { ui: none, workers: 2 }', ['--ui=none', '--workers=2']],
  ['logging: { level: INFO }', ['--log-level=INFO']],
  ['accuracy: { benchmark: mmlu }', ['--accuracy-benchmark=mmlu']],
])('reads %s', async (text, words) => {
  expect(await readWords(folder, `benchmark: { ${text} }`)).toEqual(words);
});

test.each<[string, string[]]>([
  [
    'multiRun: { numRuns: 3, cooldownSeconds: 5, confidenceLevel: 0.9 }',
    ['--num-profile-runs=3', '--profile-run-cooldown-seconds=5', '--confidence-level=0.9'],
  ],
  ['multi_run: { disable_warmup_after_first: false }', ['--no-profile-run-disable-warmup-after-first']],
  ['multiRun: { convergence: { metric: x, mode: cv } }', ['--convergence-metric=x', '--convergence-mode=cv']],
  ['sweep: { type: grid, parameters: { concurrency: [1, 2] } }', ['--concurrency=1,2']],
  ['sweep: { type: grid, parameters: { phases.profiling.rate: [1, 2.5] } }', ['--request-rate=1,2.5']],
  [
    'sweep: { type: zip, parameters: { requests: [1, 2], datasets.main.prompts.osl: [3, 4] } }',
    ['--sweep-type=zip', '--request-count=1,2', '--output-tokens-mean=3,4'],
  ],
  [
    'sweep: { parameters: { concurrency: [1, 2] }, iterationOrder: independent, sameSeed: true }',
    ['--concurrency=1,2', '--parameter-sweep-mode=independent', '--parameter-sweep-same-seed'],
  ],
  [
    `sweep:
  type: adaptive_search
  searchSpace: [{ path: phases.profiling.concurrency, lo: 1, hi: 99, kind: int }]
  objectives: [{ metric: request_throughput, stat: avg, direction: maximize }]
  maxIterations: 9
  slaFilters: [{ metricTag: time_to_first_token, stat: p99, op: lt, threshold: 200 }]`,
    [
      ...['--search-space=phases.profiling.concurrency:1,99:int', '--search-metric=request_throughput'],
      ...['--search-stat=avg', '--search-direction=maximize', '--search-max-iterations=9'],
      '--search-sla=time_to_first_token:p99:lt:200',
    ],
  ],
])('reads %s', async (text, words) => {
  expect(await readWords(folder, text)).toEqual(words);
});

test('a sweep replaces the value of the benchmark, also if it comes first', async () => {
  const text = `sweep: { type: grid, parameters: { datasets.main.prompts.isl: [5, 6], concurrency: [1, 2] } }
benchmark: { profiling: { type: concurrency, concurrency: 9 }, dataset: { isl: { mean: 9, stddev: 2 } } }`;
  expect((await readWords(folder, text)).sort()).toEqual([
    '--concurrency=1,2',
    '--synthetic-input-tokens-mean=5,6',
  ]);
});

test('replaces variables of the environment and templates', async () => {
  const text = `variables: { n: 4, m: "{{ n * 2 }}" }
benchmark:
  model: \${MODEL:default}
  endpoint: { streaming: "\${STREAM}" }
  profiling: { type: concurrency, concurrency: "{{ m }}", requests: "{{ profiling.gracePeriod * n }}", gracePeriod: 3 }`;
  expect(await readWords(folder, text, { STREAM: 'TRUE' })).toEqual([
    ...['--model=default', '--streaming', '--concurrency=8', '--request-count=12'],
    '--benchmark-grace-period=3',
  ]);
});
