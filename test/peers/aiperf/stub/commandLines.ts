import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../source.ts';
import { RECIPES } from './recipes.ts';

/** A command line of `aiperf profile` that `servelens profile` runs as it is. */
export interface CommandLine {
  readonly title: string;
  readonly isInMatrix: boolean;
  /** Options without --model, --url, --tokenizer and output options. Input files are those of `INPUT_FILES`. */
  readonly args: string;
  /** Model names; `m` by default. */
  readonly models?: string;
  /** Share by which the number of requests may differ, because the run ends after a time. */
  readonly tolerance?: number;
  /** True if the prompts come from a file, so that both programs must send the same texts. */
  readonly hasSameTexts?: true;
  /** True if requests arrive at random times. */
  readonly hasRandomArrivals?: true;
}

const CHAT = '--endpoint-type chat --streaming';
const SHORT = '--isl 100 --osl 20';

function line(title: string, args: string, rest: Partial<CommandLine> = {}): CommandLine {
  return { title, args, isInMatrix: false, ...rest };
}

/** Lines with each kind of load, prompts, files and endpoints. */
export const COMMAND_LINES: readonly CommandLine[] = [
  line('concurrency', `${CHAT} --concurrency 10 --request-count 100`),
  line('default number of requests', `${CHAT} ${SHORT} --concurrency 4`),
  line('without streaming', `--endpoint-type chat ${SHORT} --concurrency 4 --request-count 20`),
  line('Poisson arrivals', `${CHAT} ${SHORT} --request-rate 12 --request-count 100 --random-seed 1`, {
    hasRandomArrivals: true,
  }),
  line(
    'gamma arrivals',
    `${CHAT} ${SHORT} --request-rate 15 --arrival-pattern gamma --vllm-burstiness 0.5 --request-count 150`,
    { hasRandomArrivals: true },
  ),
  line(
    'constant arrivals',
    `${CHAT} ${SHORT} --request-rate 20 --arrival-pattern constant --request-count 60`,
    {
      isInMatrix: true,
    },
  ),
  line(
    'constant arrivals with a limit of concurrency',
    `${CHAT} --isl 100 --osl 60 --request-rate 100 --concurrency 4 --request-count 60 --arrival-pattern constant`,
  ),
  line(
    'ramp of the rate',
    `${CHAT} ${SHORT} --request-rate 20 --request-rate-ramp-duration 5 --arrival-pattern constant --benchmark-duration 3`,
    { tolerance: 0.4 },
  ),
  line(
    'ramp of the concurrency',
    `${CHAT} ${SHORT} --concurrency 8 --concurrency-ramp-duration 2 --benchmark-duration 4`,
    { tolerance: 0.5 },
  ),
  line('warm-up by time', `${CHAT} ${SHORT} --concurrency 8 --benchmark-duration 3 --warmup-duration 2`, {
    tolerance: 0.5,
  }),
  line(
    'warm-up by requests',
    `${CHAT} ${SHORT} --concurrency 4 --request-count 20 --warmup-request-count 8 --warmup-concurrency 2`,
    { isInMatrix: true },
  ),
  line(
    'no grace period',
    `${CHAT} --isl 100 --osl 200 --concurrency 8 --benchmark-duration 3 --benchmark-grace-period 0`,
    { tolerance: 0.5 },
  ),
  line(
    'conversations',
    `${CHAT} ${SHORT} --conversation-num 10 --conversation-turn-mean 3 --conversation-turn-delay-mean 100 --concurrency 4`,
    { isInMatrix: true },
  ),
  line('completions', `--endpoint-type completions --streaming ${SHORT} --concurrency 4 --request-count 40`),
  line('rankings', '--endpoint-type nim_rankings --concurrency 2 --request-count 10'),
  line('embeddings', '--endpoint-type embeddings --isl 100 --concurrency 4 --request-count 40'),
  line(
    'embeddings of different lengths',
    '--endpoint-type embeddings --isl 64 --isl-stddev 10 --concurrency 8 --request-count 100 --extra-inputs encoding_format:float',
  ),
  line('responses', `--endpoint-type responses --streaming ${SHORT} --concurrency 4 --request-count 40`),
  line('messages', `--endpoint-type messages --streaming ${SHORT} --concurrency 4 --request-count 40`),
  line(
    'Hugging Face generate',
    `--endpoint-type huggingface_generate --streaming ${SHORT} --concurrency 4 --request-count 40`,
  ),
  line(
    'prompts from a file',
    `${CHAT} --input-file single.jsonl --custom-dataset-type single_turn --osl 30 --concurrency 4 --request-count 25`,
    { isInMatrix: true, hasSameTexts: true },
  ),
  line(
    'prompts from a file in random order',
    `${CHAT} --input-file single.jsonl --custom-dataset-type single-turn --dataset-sampling-strategy shuffle --concurrency 4 --request-count 50`,
    { hasSameTexts: true },
  ),
  line(
    'batches of texts and images from a pool',
    '--endpoint-type chat --input-file pool.jsonl --custom-dataset-type random_pool --batch-size 2 --image-batch-size 3 --concurrency 2 --request-count 60',
  ),
  line(
    'batches of texts to embed from a pool',
    '--endpoint-type embeddings --input-file single.jsonl --custom-dataset-type random_pool --batch-size 4 --concurrency 2 --request-count 60',
  ),
  line(
    'images without text',
    '--endpoint-type chat --isl 0 --image-width-mean 8 --image-height-mean 8 --image-batch-size 2 --osl 10 --concurrency 2 --request-count 10',
  ),
  line(
    'conversations from a file',
    `${CHAT} --input-file multi.jsonl --custom-dataset-type multi_turn --concurrency 2 --num-sessions 5`,
    { hasSameTexts: true },
  ),
  line(
    'conversations with a system turn',
    `${CHAT} --input-file system.jsonl --custom-dataset-type multi_turn --osl 10 --concurrency 2 --num-sessions 4`,
    { hasSameTexts: true },
  ),
  line(
    'template with a boolean in lower case',
    '--endpoint-type template --endpoint /v1/completions --extra-inputs payload_template:template.json --extra-inputs response_field:choices[0].text --isl 30 --osl 5 --concurrency 2 --request-count 10',
  ),
  line(
    'trace',
    `${CHAT} --input-file trace.jsonl --custom-dataset-type mooncake_trace --fixed-schedule --fixed-schedule-auto-offset`,
    { isInMatrix: true },
  ),
  line(
    'Parquet trace of completions',
    '--endpoint-type completions --streaming --input-file baseten_trace.parquet --custom-dataset-type baseten_trace --fixed-schedule',
    { hasSameTexts: true },
  ),
  line(
    'closed replay of a Parquet trace',
    '--endpoint-type completions --input-file baseten_trace.parquet --custom-dataset-type baseten_trace --no-open-loop-replay --replay-speedup 2 --max-idle-gap-cap-seconds 0.5 --omit-kv-hints --no-force-min-tokens',
    { hasSameTexts: true },
  ),
  line(
    'lines of a conversation in a file',
    `${CHAT} --input-file sessions.jsonl --custom-dataset-type single_turn --concurrency 2 --num-sessions 3 --system-prompt Hello`,
    { hasSameTexts: true },
  ),
  line(
    'prompts of source code',
    `${CHAT} --isl 300 --osl 20 --prompt-corpus coding --concurrency 4 --request-count 60`,
  ),
  line(
    'conversations that start others',
    `${CHAT} --input-file dag.jsonl --custom-dataset-type dag_jsonl --concurrency 1 --num-sessions 1`,
    { hasSameTexts: true },
  ),
  line('pairs of lengths', `${CHAT} --seq-dist 64,10:50;128,20:50 --concurrency 4 --request-count 100`),
  line(
    'random lengths',
    `${CHAT} --isl 200 --isl-stddev 40 --osl 30 --osl-stddev 8 --concurrency 6 --request-count 200 --random-seed 5`,
  ),
  line(
    'shared system prompt and context of the user',
    `${CHAT} ${SHORT} --shared-system-prompt-length 100 --user-context-prompt-length 50 --num-sessions 10 --session-turns-mean 2 --concurrency 4`,
  ),
  line('system prompt', `${CHAT} ${SHORT} --concurrency 2 --request-count 10 --system-prompt Hello`),
  line('few prompts', `${CHAT} ${SHORT} --concurrency 4 --request-count 40 --num-dataset-entries 10`),
  line('two models', `${CHAT} ${SHORT} --concurrency 4 --request-count 20`, { models: 'a,b' }),
  line(
    'extra fields and headers',
    `--endpoint-type chat ${SHORT} --concurrency 4 --request-count 20 --use-legacy-max-tokens --extra-inputs temperature:0.5,top_p:.9 ignore_eos:True user:None -H X-Test:yes --api-key key`,
  ),
  line(
    'tokens counted by the server',
    `${CHAT} ${SHORT} --use-server-token-count --concurrency 4 --request-count 20 --export-level raw --slice-duration 1 --gpu-telemetry --no-server-metrics`,
  ),
  line(
    'a connection per request',
    `${CHAT} ${SHORT} --concurrency 4 --request-count 20 --connection-reuse-strategy never`,
  ),
  line('sweep', `${CHAT} ${SHORT} --concurrency 1,2 --request-count 10`),
  line(
    'repeated runs with a warm-up',
    `${CHAT} ${SHORT} --concurrency 2 --request-count 10 --num-profile-runs 2 --warmup-request-count 4`,
  ),
  ...RECIPES,
];

function repeat(count: number, create: (index: number) => object): string {
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(create(index))}\n`).join('');
}

function say(content: string, more: object = {}): object {
  return { messages: [{ role: 'user', content }], ...more };
}

/** Input files of the command lines, by name. */
export const INPUT_FILES: Readonly<Record<string, string | Buffer>> = {
  'single.jsonl': repeat(25, index => ({
    text: `Prompt ${index}: ${'count these words. '.repeat(index + 1)}`,
  })),
  'pool.jsonl': repeat(8, index => ({
    text: `Describe ${index}.`,
    image: `https://example.com/${index}.png`,
  })),
  'sessions.jsonl': repeat(6, index => ({ session_id: `s${index % 3}`, text: `Line ${index}` })),
  'multi.jsonl': repeat(5, index => ({
    session_id: `s${index}`,
    turns: [{ text: `Hello ${index}` }, { text: `And then ${index}`, delay: 100 }, { text: `Bye ${index}` }],
  })),
  'system.jsonl': repeat(4, index => ({
    session_id: `s${index}`,
    turns: [
      { role: 'system', text: `Be brief, ${index}.` },
      { text: `Hello ${index}` },
      { text: `Bye ${index}`, ...(index === 3 ? { role: 'system' } : {}) },
    ],
  })),
  'template.json':
    '{"prompt": {{ text|tojson }}, "max_tokens": {{ max_tokens|tojson }}, "stream": {{ stream|lower }}, "kind": {{ model|upper|tojson }}}',
  'dag.jsonl': [
    { session_id: 'agent', turns: [say('plan', { spawns: ['a', 'b'] }), say('merge', { forks: ['c'] })] },
    { session_id: 'a', turns: [say('search', { max_tokens: 5 })] },
    { session_id: 'b', turns: [say('read'), say('read more', { extra: { top_p: 0.5 } })] },
    { session_id: 'c', turns: [say('conclude', { max_tokens: 7 })] },
  ]
    .map(line => `${JSON.stringify(line)}\n`)
    .join(''),
  'trace.jsonl': repeat(20, index => ({
    timestamp: 100 * index,
    input_length: 600 + 10 * index,
    output_length: 10 + (index % 5),
    hash_ids: [1, 100 + index],
  })),
  'bailian.jsonl': repeat(12, index => ({
    chat_id: index,
    parent_chat_id: -1,
    timestamp: index / 10,
    input_length: 40 + 16 * index,
    output_length: 5 + index,
    type: 'text',
    turn: 1,
    hash_ids: [1, ...Array.from({ length: 2 + index }, (_, block) => 100 * (index + 1) + block)],
  })),
  'burst.csv': `Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n${Array.from(
    { length: 12 },
    (_, index) => `${index / 10},ChatGPT,${40 + index},${5 + index},${45 + 2 * index},Conversation log\n`,
  ).join('')}`,
  'payloads.jsonl': repeat(6, index => ({
    model: 'm',
    messages: [{ role: 'user', content: `Payload ${index}` }],
    max_tokens: 4 + index,
    stream: true,
  })),
  'images.jsonl': repeat(6, index => ({
    session_id: `s${index % 2}`,
    text: `Image ${index}`,
    images: ['https://example.com/1.png', `https://example.com/${index}.png`],
    image_uuids: ['first', `image ${index}`],
  })),
  'inputs.json': JSON.stringify({
    data: [0, 1, 2].map(session => ({
      session_id: `s${session}`,
      payloads: [0, 1].map(turn => ({
        model: 'm',
        ...say(`Session ${session} ${turn}`),
        max_tokens: 4,
        stream: true,
      })),
    })),
  }),
  'sessions.trace.jsonl': repeat(8, index => ({
    session_id: `s${index % 4}`,
    ...(index < 4 ? { timestamp: 400 * index } : { delay: 150 }),
    text_input: `Text ${index}`,
    output_length: 4 + index,
  })),
  'timed.jsonl': repeat(10, index => ({ timestamp: 100 * index, text: `At ${index}` })),
  'sweep.yaml': `
benchmark:
  model: m
  endpoint: { url: "http://127.0.0.1:1", type: chat, streaming: true }
  dataset: { type: synthetic, entries: 20, prompts: { isl: 60, osl: 6 } }
  phases: [{ name: profiling, type: concurrency, concurrency: 1, requests: 8 }]
sweep: { type: grid, parameters: { phases.profiling.concurrency: [1, 3] } }
multiRun: { numRuns: 2 }
`,
  'run.yaml': `
variables: { length: 120 }
benchmark:
  model: m
  endpoint: { url: "http://127.0.0.1:1", type: chat, streaming: true }
  dataset:
    type: synthetic
    entries: 200
    prompts: { isl: { mean: "{{ length }}", stddev: 20 }, osl: { mean: "\${UNSET_LENGTH:9}" } }
  phases: [{ name: profiling, type: concurrency, concurrency: 8, requests: 200 }]
`,
  'baseten_trace.parquet': readFileSync(join(root, 'packages/loadgen/test/files/baseten.parquet')),
};
