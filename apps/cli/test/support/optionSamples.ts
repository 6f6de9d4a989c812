import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CERTIFICATE, KEY } from '../../../../packages/loadgen/test/support/certificate.ts';
import { WORD_TOKENIZER } from '../../../../packages/loadgen/test/support/tokenizer.ts';
import { CONVERGENCE_SAMPLES } from './convergenceSamples.ts';
import { DISCOVERY_SAMPLES, writeDiscoverySamples } from './discoverySamples.ts';
import { LOAD_SAMPLES } from './loadSamples.ts';
import { MEDIA_SAMPLES } from './mediaSamples.ts';
import { NETWORK_SAMPLES } from './networkSamples.ts';
import { PREPARATION_SAMPLES } from './preparationSamples.ts';
import { writeHubDataset, writePublicDataset } from './publicDataset.ts';
import { PUSH_SAMPLES } from './pushSamples.ts';
import { REPLAY_SAMPLES, writeReplaySample } from './replaySamples.ts';
import { SEARCH_SAMPLES } from './searchSamples.ts';

/** A valid use of an option that differs from its default. */
export interface OptionSample {
  /** The option and its value. */
  readonly words: string;
  /** Other options that the option requires. */
  readonly requires?: string;
}

/** Samples by option name. */
export type OptionSamples = Readonly<Record<string, OptionSample>>;

/** PNG files of one pixel. */
const PICTURES = {
  'black.png':
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'white.png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
};

/** Writes the files that samples refer to into a folder. */
export function writeSampleFiles(folder: string): void {
  mkdirSync(join(folder, 'pictures'));
  for (const [name, pixel] of Object.entries(PICTURES))
    writeFileSync(join(folder, 'pictures', name), Buffer.from(pixel, 'base64'));
  writeReplaySample(folder);
  writePublicDataset(folder);
  writeHubDataset(folder);
  writeDiscoverySamples(folder);
  const files: Readonly<Record<string, string>> = {
    token: 'secret-token\n',
    basic: 'user:password\n',
    headers: 'X-Tenant: b\n',
    'ca.pem': CERTIFICATE,
    'cert.pem': CERTIFICATE,
    'key.pem': KEY,
    'prompts.jsonl': '{"text":"first"}\n{"text":"second"}\n{"text":"third"}\n',
    'timed.jsonl': '{"timestamp":0,"text":"first"}\n{"timestamp":300,"text":"second"}\n',
    'trace.jsonl':
      '{"timestamp":0,"input_length":5,"output_length":4}\n{"timestamp":100,"input_length":6,"output_length":4}\n{"timestamp":300,"input_length":7,"output_length":4}\n',
    'targets.yaml': 'targets:\n  - url: http://127.0.0.1:9/extra/metrics\n',
    'engine.yaml': 'name: Engine\nrecognize: { prefixes: [engine_] }\n',
    'rates.json': '[{"time_s":0,"qps":50},{"time_s":1,"qps":100}]',
    'images.jsonl':
      '{"session_id":"s","text":"a","images":["http://127.0.0.1/1.png"],"image_uuids":["one"]}\n'.repeat(2),
    'tokenizer.json': JSON.stringify(WORD_TOKENIZER),
    // Each message has three more tokens, and each request one.
    'tokenizer_config.json': JSON.stringify({
      chat_template: '{% for m in messages %}the batch waits {{ m.content }} {% endfor %}.',
    }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Options of `servelens profile`. The option `model` is always set. */
export const PROFILE_SAMPLES: OptionSamples = {
  ...CONVERGENCE_SAMPLES,
  ...DISCOVERY_SAMPLES,
  ...LOAD_SAMPLES,
  ...PREPARATION_SAMPLES,
  ...NETWORK_SAMPLES,
  ...MEDIA_SAMPLES,
  model: { words: '--model a,b' },
  'model-selection-strategy': { words: '--model-selection-strategy random', requires: '--model a,b' },
  url: { words: '--url 127.0.0.1:9' },
  'endpoint-type': { words: '--endpoint-type completions' },
  endpoint: { words: '--endpoint /v2/chat' },
  streaming: { words: '--streaming' },
  header: { words: '--header X-Test:1' },
  'api-key': { words: '--api-key k' },
  'extra-inputs': { words: '--extra-inputs temperature:0.5' },
  'use-legacy-max-tokens': { words: '--use-legacy-max-tokens', requires: '--osl 4' },
  'request-timeout-seconds': { words: '--request-timeout-seconds 0.2' },
  'connection-reuse-strategy': { words: '--connection-reuse-strategy never' },
  concurrency: { words: '--concurrency 3' },
  'request-rate': { words: '--request-rate 50' },
  'arrival-pattern': { words: '--arrival-pattern constant', requires: '--request-rate 50' },
  'arrival-smoothness': {
    words: '--arrival-smoothness 5',
    requires: '--request-rate 50 --arrival-pattern gamma',
  },
  'request-count': { words: '--request-count 3' },
  'num-sessions': { words: '--num-sessions 3' },
  'benchmark-duration': { words: '--benchmark-duration 0.3' },
  'benchmark-grace-period': { words: '--benchmark-grace-period 0.1', requires: '--benchmark-duration 0.3' },
  'concurrency-ramp-duration': { words: '--concurrency-ramp-duration 0.5', requires: '--concurrency 5' },
  'request-rate-ramp-duration': { words: '--request-rate-ramp-duration 0.5', requires: '--request-rate 50' },
  'request-cancellation-rate': { words: '--request-cancellation-rate 100' },
  'request-cancellation-delay': {
    words: '--request-cancellation-delay 0.2',
    requires: '--request-cancellation-rate 100',
  },
  'auto-plot': { words: '--auto-plot' },
  'plot-required': { words: '--plot-required', requires: '--auto-plot' },
  'stats-interval': { words: '--stats-interval 0.05', requires: '--ui none' },
  'failed-request-threshold': { words: '--failed-request-threshold 0.1' },
  'stop-over-saturated': {
    words: '--stop-over-saturated',
    requires: '--request-rate 50',
  },
  'over-saturation-window': {
    words: '--over-saturation-window 20',
    requires: '--request-rate 50 --stop-over-saturated',
  },
  workers: { words: '--workers 1' },
  'random-seed': { words: '--random-seed 5' },
  shard: { words: '--shard 0/2', requires: '--random-seed 5 --concurrency 4 --request-count 8' },
  'start-at': { words: '--start-at 2099-01-01T00:00:00Z' },
  'warmup-duration': { words: '--warmup-duration 0.3' },
  'warmup-request-count': { words: '--warmup-request-count 3' },
  'warmup-concurrency': { words: '--warmup-concurrency 2', requires: '--warmup-request-count 6' },
  'warmup-request-rate': { words: '--warmup-request-rate 40', requires: '--warmup-request-count 6' },
  'warmup-arrival-pattern': {
    words: '--warmup-arrival-pattern constant',
    requires: '--warmup-request-count 6 --warmup-request-rate 50',
  },
  'warmup-grace-period': { words: '--warmup-grace-period 0.1', requires: '--warmup-duration 0.3' },
  'synthetic-input-tokens-mean': { words: '--isl 30' },
  'synthetic-input-tokens-stddev': { words: '--isl-stddev 5' },
  'output-tokens-mean': { words: '--osl 4' },
  'output-tokens-stddev': { words: '--osl-stddev 2', requires: '--osl 9' },
  'conversation-turn-mean': { words: '--conversation-turn-mean 2' },
  'conversation-turn-stddev': {
    words: '--conversation-turn-stddev 1',
    requires: '--conversation-turn-mean 2',
  },
  'conversation-turn-delay-mean': {
    words: '--conversation-turn-delay-mean 50',
    requires: '--conversation-turn-mean 2',
  },
  'conversation-turn-delay-stddev': {
    words: '--conversation-turn-delay-stddev 20',
    requires: '--conversation-turn-mean 2 --conversation-turn-delay-mean 50',
  },
  'seq-dist': { words: '--seq-dist 5,3:100' },
  'user-context-prompt-length': { words: '--user-context-prompt-length 4' },
  'system-prompt': { words: '--system-prompt Hello' },
  'system-prompt-file': { words: '--system-prompt-file prompts.jsonl' },
  'shared-system-prompt-length': { words: '--shared-system-prompt-length 7' },
  'apply-chat-template': { words: '--apply-chat-template', requires: '--tokenizer tokenizer.json' },
  'uuid-and-strip': {
    words: '--uuid-and-strip',
    requires: '--input-file images.jsonl --custom-dataset-type single_turn --num-sessions 1',
  },
  'num-dataset-entries': { words: '--num-dataset-entries 2' },
  'unique-prompts': { words: '--unique-prompts' },
  'prompt-prefix-pool-size': {
    words: '--prompt-prefix-pool-size 2',
    requires: '--prompt-prefix-length 3',
  },
  'prompt-prefix-length': {
    words: '--prompt-prefix-length 3',
    requires: '--prompt-prefix-pool-size 2',
  },
  'isl-block-size': { words: '--isl-block-size 4', requires: '--input-file trace.jsonl' },
  'random-range-ratio': { words: '--random-range-ratio 0.3', requires: '--isl 10 --osl 5' },
  'random-corpus-style': {
    words: '--random-corpus-style sglang',
    requires: '--isl 10 --osl 5 --random-range-ratio 0.3',
  },
  'prompt-corpus': { words: '--prompt-corpus random' },
  'cache-bust': { words: '--cache-bust first_turn_prefix' },
  'synthesis-speedup-ratio': { words: '--synthesis-speedup-ratio 2', requires: '--input-file trace.jsonl' },
  'synthesis-prefix-len-multiplier': {
    words: '--synthesis-prefix-len-multiplier 2',
    requires: '--input-file trace.jsonl',
  },
  'synthesis-prefix-root-multiplier': {
    words: '--synthesis-prefix-root-multiplier 3',
    requires: '--input-file trace.jsonl',
  },
  'synthesis-prompt-len-multiplier': {
    words: '--synthesis-prompt-len-multiplier 2',
    requires: '--input-file trace.jsonl',
  },
  'synthesis-output-len-multiplier': {
    words: '--synthesis-output-len-multiplier 2',
    requires: '--input-file trace.jsonl',
  },
  'synthesis-max-isl': { words: '--synthesis-max-isl 7', requires: '--input-file trace.jsonl' },
  'synthesis-max-osl': { words: '--synthesis-max-osl 2', requires: '--input-file trace.jsonl' },
  ...REPLAY_SAMPLES,
  'public-dataset': { words: '--public-dataset sharegpt' },
  'hf-subset': { words: '--hf-subset socratic', requires: '--public-dataset spec_al_gsm8k' },
  'inter-turn-delay-cap-seconds': {
    words: '--inter-turn-delay-cap-seconds 0.05',
    requires: '--input-file trace.jsonl',
  },
  'input-file': { words: '--input-file prompts.jsonl' },
  'custom-dataset-type': {
    words: '--custom-dataset-type multi_turn',
    requires: '--input-file prompts.jsonl',
  },
  'dataset-sampling-strategy': {
    words: '--dataset-sampling-strategy random',
    requires: '--input-file prompts.jsonl',
  },
  'fixed-schedule': { words: '--fixed-schedule', requires: '--input-file timed.jsonl' },
  'no-fixed-schedule': { words: '--no-fixed-schedule', requires: '--input-file timed.jsonl' },
  'fixed-schedule-start-offset': {
    words: '--fixed-schedule-start-offset 50',
    requires: '--input-file trace.jsonl',
  },
  'fixed-schedule-end-offset': {
    words: '--fixed-schedule-end-offset 200',
    requires: '--input-file trace.jsonl',
  },
  tokenizer: { words: '--tokenizer tokenizer.json' },
  'tokenizer-revision': {
    words: '--tokenizer-revision v2',
    requires: '--tokenizer Qwen/Qwen3-0.6B',
  },
  'token-count': { words: '--token-count client' },
  'use-server-token-count': { words: '--use-server-token-count' },
  'artifact-dir': { words: '--artifact-dir other' },
  'profile-export-prefix': { words: '--profile-export-prefix p' },
  'server-metrics-formats': { words: '--server-metrics-formats jsonl' },
  'slice-duration': { words: '--slice-duration 0.2' },
  window: { words: '--window aiperf' },
  'percentile-method': { words: '--percentile-method linear' },
  'json-layout': { words: '--json-layout legacy' },
  compat: { words: '--compat aiperf-0.13' },
  'parquet-partition': { words: '--parquet-partition' },
  'keep-journal': { words: '--keep-journal' },
  'memory-limit': { words: '--memory-limit 1MiB' },
  goodput: { words: '--goodput request_latency:1' },
  'export-level': { words: '--export-level raw' },
  'export-outputs-json': { words: '--export-outputs-json' },
  'show-trace-timing': { words: '--show-trace-timing' },
  'num-profile-runs': { words: '--num-profile-runs 2' },
  'profile-run-disable-warmup-after-first': {
    words: '--no-profile-run-disable-warmup-after-first',
    requires: '--num-profile-runs 2 --warmup-request-count 3 --request-count 2',
  },
  'profile-run-cooldown-seconds': {
    words: '--profile-run-cooldown-seconds 0.3',
    requires: '--num-profile-runs 2',
  },
  'confidence-level': { words: '--confidence-level 0.5', requires: '--num-profile-runs 2' },
  'parameter-sweep-mode': {
    words: '--parameter-sweep-mode independent',
    requires: '--concurrency 1,2 --num-profile-runs 2',
  },
  'parameter-sweep-same-seed': { words: '--parameter-sweep-same-seed', requires: '--concurrency 1,2' },
  'vary-seed-per-trial': { words: '--vary-seed-per-trial', requires: '--num-profile-runs 2' },
  'server-metrics': { words: '--server-metrics 127.0.0.1:9/other' },
  'no-server-metrics': { words: '--no-server-metrics' },
  'require-server-metrics': { words: '--require-server-metrics' },
  'server-metrics-header': { words: '--server-metrics-header X-Scrape:1' },
  'gpu-telemetry': { words: '--gpu-telemetry 127.0.0.1:9/gpus' },
  'no-gpu-telemetry': { words: '--no-gpu-telemetry' },
  gpus: { words: '--gpus 0' },
  'gpu-map': { words: '--gpu-map localhost:8000=0' },
  config: { words: '--config targets.yaml' },
  servers: { words: '--servers engine.yaml' },
  'bearer-token-file': { words: '--bearer-token-file token' },
  'basic-auth-file': { words: '--basic-auth-file basic' },
  limit: { words: '--limit samples=1' },
  compressed: { words: '--compressed' },
  // The run continues as soon as the counters have stopped changing.
  settle: { words: '--settle 60' },
  'ca-file': { words: '--ca-file ca.pem', requires: '--url https://localhost:9' },
  'cert-file': { words: '--cert-file cert.pem --key-file key.pem', requires: '--url https://localhost:9' },
  'key-file': { words: '--cert-file cert.pem --key-file key.pem', requires: '--url https://localhost:9' },
  insecure: { words: '--insecure', requires: '--url https://localhost:9' },
  json: { words: '--json' },
  quiet: { words: '--quiet' },
  ui: { words: '--ui web' },
  web: { words: '--web 8123' },
  live: { words: '--live' },
  ...PUSH_SAMPLES,
  ...SEARCH_SAMPLES,
};

/** Options of `servelens collect`. Its endpoint is set by `--server-metrics`. */
export const COLLECT_SAMPLES: OptionSamples = {
  ...DISCOVERY_SAMPLES,
  'server-metrics': { words: '--server-metrics 127.0.0.1:9/other' },
  url: { words: '--url 127.0.0.1:8' },
  shard: { words: '--shard 0/2' },
  'gpu-telemetry': PROFILE_SAMPLES['gpu-telemetry']!,
  'no-gpu-telemetry': PROFILE_SAMPLES['no-gpu-telemetry']!,
  gpus: PROFILE_SAMPLES.gpus!,
  'gpu-map': { words: '--gpu-map 127.0.0.1:9=0' },
  'no-server-metrics': { words: '--no-server-metrics' },
  'require-server-metrics': PROFILE_SAMPLES['require-server-metrics']!,
  config: PROFILE_SAMPLES.config!,
  servers: PROFILE_SAMPLES.servers!,
  header: PROFILE_SAMPLES.header!,
  'bearer-token-file': PROFILE_SAMPLES['bearer-token-file']!,
  'basic-auth-file': PROFILE_SAMPLES['basic-auth-file']!,
  'ca-file': PROFILE_SAMPLES['ca-file']!,
  'cert-file': PROFILE_SAMPLES['cert-file']!,
  'key-file': PROFILE_SAMPLES['key-file']!,
  insecure: PROFILE_SAMPLES.insecure!,
  timeout: { words: '--timeout 0.2' },
  limit: PROFILE_SAMPLES.limit!,
  compressed: PROFILE_SAMPLES.compressed!,
  duration: { words: '--duration 0.6' },
  'warmup-duration': PROFILE_SAMPLES['warmup-duration']!,
  settle: PROFILE_SAMPLES.settle!,
  'artifact-dir': PROFILE_SAMPLES['artifact-dir']!,
  'profile-export-prefix': PROFILE_SAMPLES['profile-export-prefix']!,
  'server-metrics-formats': PROFILE_SAMPLES['server-metrics-formats']!,
  'slice-duration': PROFILE_SAMPLES['slice-duration']!,
  window: PROFILE_SAMPLES.window!,
  'percentile-method': PROFILE_SAMPLES['percentile-method']!,
  'json-layout': PROFILE_SAMPLES['json-layout']!,
  compat: PROFILE_SAMPLES.compat!,
  'parquet-partition': PROFILE_SAMPLES['parquet-partition']!,
  'keep-journal': PROFILE_SAMPLES['keep-journal']!,
  'memory-limit': PROFILE_SAMPLES['memory-limit']!,
  json: PROFILE_SAMPLES.json!,
  quiet: PROFILE_SAMPLES.quiet!,
  ui: PROFILE_SAMPLES.ui!,
  web: PROFILE_SAMPLES.web!,
  live: PROFILE_SAMPLES.live!,
  ...PUSH_SAMPLES,
};
