import type { CommandLine } from './commandLines.ts';

const CHAT = '--endpoint-type chat --streaming';
const SHORT = '--isl 100 --osl 20';

function line(title: string, args: string, rest: Partial<CommandLine> = {}): CommandLine {
  return { title: `recipe: ${title}`, args, isInMatrix: false, ...rest };
}

/** Lines that combine options as the documentation of AIPerf does. */
export const RECIPES: readonly CommandLine[] = [
  line(
    'Cohere rankings',
    '--endpoint-type cohere_rankings --rankings-passages-mean 6 --rankings-passages-prompt-token-mean 32 --rankings-query-prompt-token-mean 16 --request-count 20 --concurrency 4',
  ),
  line(
    'rankings of Text Embeddings Inference',
    '--endpoint-type hf_tei_rankings --rankings-passages-mean 4 --request-count 12 --concurrency 2 --random-seed 7',
  ),
  line(
    'bailian trace',
    `${CHAT} --input-file bailian.jsonl --custom-dataset-type bailian_trace --fixed-schedule`,
  ),
  line(
    'BurstGPT trace',
    `${CHAT} --input-file burst.csv --custom-dataset-type burst_gpt_trace --fixed-schedule`,
  ),
  line(
    'part of a trace',
    `${CHAT} --input-file trace.jsonl --custom-dataset-type mooncake_trace --fixed-schedule --fixed-schedule-start-offset 500 --fixed-schedule-end-offset 1500`,
  ),
  line(
    'faster trace with short prompts',
    `${CHAT} --input-file trace.jsonl --custom-dataset-type mooncake_trace --fixed-schedule --synthesis-speedup-ratio 2 --synthesis-max-isl 700`,
  ),
  line(
    'sweep of the concurrency with a warm-up',
    `${CHAT} ${SHORT} --concurrency 1,2,4 --request-count 8 --warmup-request-count 2 --random-seed 3`,
  ),
  line(
    'sweep of the rate',
    `${CHAT} ${SHORT} --request-rate 20,40 --arrival-pattern constant --concurrency 50 --request-count 20`,
  ),
  line(
    'goodput and slices',
    `${CHAT} ${SHORT} --concurrency 4 --request-count 24 --goodput request_latency:1000 --slice-duration 1 --profile-export-file mine.json`,
  ),
  line(
    'JSON of extra fields, and several headers',
    `--endpoint-type chat ${SHORT} --concurrency 2 --request-count 10 --extra-inputs {"min_tokens":5,"ignore_eos":true,"nested":{"a":[1]}} --header X-A:one X-B:two --header X-C:three`,
  ),
  line(
    'images',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 8 --image-width-mean 16 --image-height-mean 16 --image-batch-size 2 --image-format jpeg`,
  ),
  line(
    'audio',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 8 --audio-length-mean 0.2 --audio-format wav --audio-sample-rates 16`,
  ),
  line(
    'repeated runs with a cooldown',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 6 --num-profile-runs 3 --profile-run-cooldown-seconds 0 --confidence-level 0.9`,
  ),
  line(
    'short grace period',
    `${CHAT} --isl 50 --osl 40 --concurrency 4 --benchmark-duration 2 --benchmark-grace-period 1`,
    { tolerance: 0.5 },
  ),
  line(
    'server metrics and GPU telemetry',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 10 --gpu-telemetry --server-metrics http://127.0.0.1:1/metrics --server-metrics-formats json csv`,
  ),
  line(
    'cancelled requests',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 20 --request-cancellation-rate 50 --request-cancellation-delay 0.5`,
  ),
  line(
    'conversations of different lengths',
    `${CHAT} ${SHORT} --num-sessions 30 --session-turns-mean 4 --session-turns-stddev 1 --session-turn-delay-mean 10 --session-delay-ratio 0.5 --concurrency 8`,
    { tolerance: 0.3 },
  ),
  line(
    'ranges of lengths',
    `${CHAT} --isl 100 --osl 20 --random-range-ratio 0.3 --concurrency 4 --request-count 100 --random-seed 11`,
  ),
  line(
    'users',
    `${CHAT} ${SHORT} --user-centric-rate 8 --num-users 4 --session-turns-mean 3 --num-sessions 8 --shared-system-prompt-length 30`,
    { tolerance: 0.3 },
  ),
  line(
    'prefill concurrency',
    `${CHAT} ${SHORT} --concurrency 8 --prefill-concurrency 2 --request-count 40 --cache-bust first_turn_prefix`,
  ),
  line(
    'payloads',
    `${CHAT} --input-file payloads.jsonl --custom-dataset-type raw_payload --concurrency 2 --request-count 6`,
    { hasSameTexts: true },
  ),
  line('run file with variables', '--config run.yaml'),
  line(
    'chat template',
    `${CHAT} ${SHORT} --apply-chat-template --num-sessions 6 --session-turns-mean 3 --concurrency 2`,
  ),
  line(
    'repeated images by their ids',
    `${CHAT} --input-file images.jsonl --custom-dataset-type single_turn --uuid-and-strip --osl 5 --concurrency 2 --num-sessions 2`,
    { hasSameTexts: true },
  ),
  line(
    'round trip of the network',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 10 --network-latency-automatic --network-latency-ping-interval 0.2`,
  ),
  line(
    'conversations that repeat',
    `${CHAT} ${SHORT} --num-dataset-entries 3 --num-sessions 6 --session-turns-mean 2 --concurrency 2`,
  ),
  line(
    'batches of embeddings',
    '--endpoint-type embeddings --isl 50 -b 3 --concurrency 2 --request-count 10',
  ),
  line(
    'recorded sessions',
    `${CHAT} --input-file inputs.json --custom-dataset-type inputs_json --concurrency 1 --num-sessions 3`,
    { hasSameTexts: true },
  ),
  line(
    'trace with texts and sessions',
    `${CHAT} --input-file sessions.trace.jsonl --custom-dataset-type mooncake_trace --fixed-schedule`,
    { hasSameTexts: true },
  ),
  line(
    'prompts with timestamps',
    `${CHAT} --input-file timed.jsonl --custom-dataset-type single_turn --fixed-schedule --osl 5`,
    { hasSameTexts: true },
  ),
  line(
    'rate for a time, and no limit of the grace period',
    `${CHAT} ${SHORT} --request-rate 20 --request-rate-mode constant --benchmark-duration 2 --benchmark-grace-period inf`,
    { tolerance: 0.1 },
  ),
  line(
    'fixed lengths of responses',
    `${CHAT} --isl 64 --osl 20 --osl-stddev 0 --concurrency 4 --request-count 20 --extra-inputs min_tokens:20 --extra-inputs ignore_eos:true`,
  ),
  line(
    'warm-up at a rate',
    `${CHAT} ${SHORT} --concurrency 3 --request-count 12 --warmup-request-count 6 --warmup-request-rate 40 --warmup-arrival-pattern constant`,
  ),
  line('sweep in a run file', '--config sweep.yaml'),
  line('embeddings of chats', '--endpoint-type chat_embeddings --isl 30 --concurrency 2 --request-count 10'),
  line(
    'conversations of messages with a system prompt',
    `--endpoint-type messages --streaming ${SHORT} --system-prompt Hello --session-turns-mean 2 --num-sessions 3 --concurrency 1`,
  ),
  line(
    'stored responses',
    `--endpoint-type responses --streaming ${SHORT} --use-server-token-count --extra-inputs store:true --shared-system-prompt-length 20 --session-turns-mean 3 --num-sessions 3 --concurrency 1`,
  ),
  line(
    'spellings of options, values and headers',
    '--endpoint_type CHAT --isl 60 --osl 9 --concurrency 2 --request_count 10 --streaming=True --header X-A:a,X-B:b --extra_inputs top_k:1 top_k:2 --extra-inputs [["top_p",0.5]]',
  ),
  line(
    'completions from a file',
    '--endpoint-type completions --input-file single.jsonl --custom-dataset-type single_turn --osl 4 --concurrency 2 --request-count 25',
    { hasSameTexts: true },
  ),
  line(
    'marked system prompts',
    `${CHAT} ${SHORT} --shared-system-prompt-length 60 --cache-bust system_prefix --concurrency 2 --request-count 10`,
  ),
  line(
    'pairs of lengths as JSON',
    `${CHAT} --seq-dist {"pairs":[{"isl":64,"osl":10,"prob":50},{"isl":128,"osl":20,"prob":50}]} --concurrency 4 --request-count 80`,
  ),
  line(
    'a connection for each user',
    `${CHAT} ${SHORT} --session-turns-mean 2 --num-sessions 4 --concurrency 2 --connection-reuse-strategy sticky-user-sessions --request-timeout-seconds 30 --log-level ERROR --workers-max 2`,
  ),
  line(
    'usage in each chunk',
    `${CHAT} ${SHORT} --use-server-token-count --per-chunk-usage --concurrency 2 --request-count 10 --goodput time_to_first_token:500`,
  ),
];
