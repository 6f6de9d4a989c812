import { CACHE_BUST_TARGETS, CORPORA, RANGE_STYLES } from '@org/loadgen';
import { type OptionTable, option } from '@org/terminal/program';

/** Options for the text of synthetic prompts, and for parts that prompts share. */
export const PROMPT_SHAPE_OPTIONS: OptionTable = {
  'prompt-prefix-pool-size': option(
    'N',
    'Number of generated prefixes; each conversation starts with one of them, chosen at random',
    {
      hiddenAliases: ['prefix-prompt-pool-size', 'num-prefix-prompts'],
      defaultText: 'no prefixes',
    },
  ),
  'prompt-prefix-length': option('TOKENS', 'Length of each prefix in tokens, in addition to --isl', {
    hiddenAliases: ['prefix-prompt-length'],
    defaultText: '0',
  }),
  'isl-block-size': option('TOKENS', 'Number of tokens that each hash id of a trace stands for', {
    hiddenAliases: ['prompt-input-tokens-block-size', 'synthetic-input-tokens-block-size'],
    defaultText: '512; 16 for bailian_trace',
  }),
  'random-range-ratio': option(
    'RATIO',
    'Draw prompt and output lengths uniformly from a range around --isl and --osl: 0.3 means 30% below to 30% above; {"input": 0.3, "output": 0.5} sets two ratios',
  ),
  'random-corpus-style': option(
    'STYLE',
    'Range of --random-range-ratio: vllm is symmetric, sglang is from RATIO times the length up to the length',
    { choices: RANGE_STYLES, defaultText: 'vllm' },
  ),
  'prompt-corpus': option(
    'CORPUS',
    'Text of generated prompts: sonnet is English words, coding is source code, JSON, stack traces, diffs and output of commands, random is random tokens',
    {
      choices: CORPORA,
      defaultText: 'sonnet',
    },
  ),
  'cache-bust': option(
    'PLACE',
    'Place of a marker that differs in each conversation, so that no prefix cache hits; the markers of warmup_isolation are only in the warm-up',
    {
      choices: CACHE_BUST_TARGETS,
      defaultText: 'none',
    },
  ),
};
