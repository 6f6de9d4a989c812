import { DATASET_TYPES, EMBEDDED_TOKENIZER } from '@org/loadgen';
import { TOKEN_COUNTS } from '@org/run';
import { flag, type OptionTable, option } from '@org/terminal/program';
import { MISSING_DATASET_TYPES } from './aiperf/missingChoices.ts';
import { MISSING_DATASETS } from './aiperf/missingDatasets.ts';
import { PUBLIC_ROWS } from './publicDatasets.ts';

/** Default mean length of synthetic prompts, in tokens. */
export const DEFAULT_INPUT_TOKENS = 550;

/** Default number of synthetic conversations in runs without a number of requests or conversations, as in AIPerf. */
export const DEFAULT_ENTRIES = 100;

/** Options for prompts, which are synthetic or read from a file. */
export const INPUT_OPTIONS: OptionTable = {
  'synthetic-input-tokens-mean': option(
    'TOKENS',
    'Mean prompt length in tokens, or a distribution as JSON, such as {"mean":512,"median":400,"max":2000}; 0 sends no text',
    {
      aliases: ['isl'],
      hiddenAliases: ['prompt-input-tokens-mean'],
      defaultText: String(DEFAULT_INPUT_TOKENS),
    },
  ),
  'synthetic-input-tokens-stddev': option('TOKENS', 'Standard deviation of prompt length, in tokens', {
    aliases: ['isl-stddev'],
    hiddenAliases: ['prompt-input-tokens-stddev'],
    defaultText: '0',
  }),
  'output-tokens-mean': option(
    'TOKENS',
    'Mean requested output length in tokens, or a distribution as JSON',
    {
      aliases: ['osl'],
      hiddenAliases: ['prompt-output-tokens-mean'],
      defaultText: 'chosen by the server',
    },
  ),
  'output-tokens-stddev': option('TOKENS', 'Standard deviation of requested output length, in tokens', {
    aliases: ['osl-stddev'],
    hiddenAliases: ['prompt-output-tokens-stddev'],
    defaultText: '0',
  }),
  'seq-dist': option(
    'ISL,OSL:PERCENT;...',
    'Lengths of prompts and outputs that belong together, and their shares, instead of --isl and --osl, such as "128,64:40;512|20,128:60"; a standard deviation may follow a length',
    { aliases: ['sequence-distribution'] },
  ),
  'conversation-turn-mean': option('N', 'Mean number of turns per conversation', {
    hiddenAliases: ['session-turns-mean'],
    defaultText: '1',
  }),
  'conversation-turn-stddev': option('N', 'Standard deviation of the number of turns', {
    hiddenAliases: ['session-turns-stddev'],
    defaultText: '0',
  }),
  'conversation-turn-delay-mean': option(
    'MS',
    'Mean delay in milliseconds between a response and the next turn',
    { hiddenAliases: ['session-turn-delay-mean'], defaultText: '0' },
  ),
  'conversation-turn-delay-stddev': option('MS', 'Standard deviation of the turn delay, in milliseconds', {
    hiddenAliases: ['session-turn-delay-stddev'],
    defaultText: '0',
  }),
  'conversation-turn-delay-ratio': option('FACTOR', 'Factor of all turn delays', {
    aliases: ['session-delay-ratio'],
    defaultText: '1',
  }),
  'shared-system-prompt-length': option(
    'TOKENS',
    'Length of the system prompt that all conversations share, in tokens',
    { defaultText: 'no system prompt' },
  ),
  'user-context-prompt-length': option(
    'TOKENS',
    'Length of a first user message that differs in each conversation, in tokens',
    { defaultText: 'no such message' },
  ),
  'system-prompt': option('TEXT', 'System message of all conversations, also of those in --input-file'),
  'system-prompt-file': option('FILE', 'File with the system message of all conversations'),
  'num-dataset-entries': option('N', 'Number of distinct conversations to generate, which are used in turn', {
    aliases: ['num-prompts'],
    defaultText: `--num-sessions, else --request-count, else ${DEFAULT_ENTRIES}`,
  }),
  'unique-prompts': flag('Generate a new conversation for each session, so that no prompt repeats'),
  'input-file': option('PATH', 'File or folder with prompts, conversations, recorded requests or a trace'),
  'uuid-and-strip': flag(
    'Send each image of a conversation once, and then only its id (image_uuids in --input-file), for the image cache of vLLM',
  ),
  'public-dataset': option(
    'NAME',
    'Data set to send, from the Hugging Face cache; download it with "hf download"',
    { choices: ['sharegpt', ...Object.keys(PUBLIC_ROWS)], unavailableChoices: MISSING_DATASETS },
  ),
  'hf-subset': option('NAME', 'Subset (configuration) of --public-dataset', {
    defaultText: 'main for spec_al_gsm8k, full for spec_al_mbpp',
  }),
  'custom-dataset-type': option('TYPE', 'Format of --input-file', {
    choices: DATASET_TYPES,
    unavailableChoices: MISSING_DATASET_TYPES,
    defaultText: 'detected from the first line',
  }),
  'dataset-sampling-strategy': option('STRATEGY', 'Order of conversations', {
    choices: ['sequential', 'shuffle', 'random'],
    default: 'sequential',
  }),
  'fixed-schedule': flag('Send requests at the timestamps of --input-file', {
    defaultText: 'if the file has timestamps, unless --request-rate, or shuffle or random order, is set',
  }),
  'no-fixed-schedule': flag('Ignore the timestamps of --input-file'),
  'fixed-schedule-start-offset': option(
    'MS',
    'Timestamp in --input-file at which the replay starts, in milliseconds',
    {
      defaultText: 'first timestamp',
    },
  ),
  'fixed-schedule-end-offset': option(
    'MS',
    'Timestamp in --input-file at which the replay ends, in milliseconds',
    {
      defaultText: 'last timestamp',
    },
  ),
};

/** Options for counting tokens. */
export const TOKENIZER_OPTIONS: OptionTable = {
  tokenizer: option(
    'NAME|PATH',
    `Tokenizer: ${EMBEDDED_TOKENIZER} (also called builtin), the path of a tokenizer.json or of its folder, or a model of the Hugging Face hub, such as Qwen/Qwen3-0.6B, which is downloaded if it is not in the local cache`,
    { defaultText: 'the tokenizer of the model, or SERVELENS_TOKENIZER' },
  ),
  'tokenizer-revision': option('REVISION', 'Branch, tag or commit of a tokenizer of the Hugging Face hub', {
    defaultText: 'main',
  }),
  'apply-chat-template': flag(
    'Count the tokens of requests with the chat template of the tokenizer, and generate prompts that are shorter by its tokens',
  ),
  'token-count': option(
    'SOURCE',
    'Source of token counts: the tokenizer (client), the usage field of responses (server), or the server if all successful responses contain usage, otherwise the client (auto)',
    { choices: TOKEN_COUNTS, defaultText: 'auto' },
  ),
  'use-server-token-count': flag('Same as --token-count server'),
};
