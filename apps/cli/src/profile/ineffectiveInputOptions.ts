import { countsTokens, hasMessages, isTraceType } from '@org/loadgen';
import type { ProfilePlan } from '@org/run';
import type { RawOptions } from '@org/terminal/program';
import type { IneffectiveOptions } from '../options/ineffective.ts';
import { formatInputSource } from './inputSource.ts';

/** Lists the options for inputs and tokenizers that have no effect in a combination. */
export function listInputRules(
  raw: RawOptions,
  { inputs, profiling, request: { endpoint }, tokenCount, tokenizer }: ProfilePlan,
): IneffectiveOptions[] {
  const { turns, turnDelayMs, file, datasetType } = inputs;
  return [
    {
      options: ['hf-subset'],
      when: datasetType !== 'rows',
      reason:
        datasetType === 'sharegpt'
          ? 'with --public-dataset sharegpt, which has no subsets'
          : 'without --public-dataset',
    },
    {
      options: ['no-fixed-schedule'],
      when: file === undefined,
      reason: 'without --input-file',
    },
    {
      options: ['num-dataset-entries'],
      when: file !== undefined && datasetType !== 'random_pool',
      reason: `with ${formatInputSource(raw)}, whose conversations are all used`,
    },
    {
      options: ['output-tokens-mean', 'output-tokens-stddev', 'use-legacy-max-tokens'],
      when: datasetType === 'raw_payload' || datasetType === 'inputs_json',
      reason: `with a file of the type ${datasetType}, whose request bodies are sent unchanged`,
    },
    {
      options: ['output-tokens-mean', 'output-tokens-stddev'],
      when:
        datasetType === 'bailian_trace' ||
        datasetType === 'burst_gpt_trace' ||
        datasetType === 'baseten_trace',
      reason: `with a file of the type ${datasetType}, whose lines have output lengths`,
    },
    {
      options: ['conversation-turn-delay-mean', 'conversation-turn-delay-stddev'],
      when: file === undefined && (turns === undefined || (turns.mean === 1 && !turns.stddev)),
      reason: 'for conversations of a single turn; set --conversation-turn-mean',
    },
    {
      options: ['conversation-turn-delay-ratio'],
      when: file === undefined && !turnDelayMs?.mean && !turnDelayMs?.stddev,
      reason: 'without --conversation-turn-delay-mean',
    },
    {
      options: [
        'conversation-turn-delay-mean',
        'conversation-turn-delay-stddev',
        'conversation-turn-delay-ratio',
      ],
      when: profiling.users !== undefined,
      reason: 'with --user-centric-rate, which sets the time between turns',
    },
    {
      options: ['uuid-and-strip'],
      when: datasetType !== 'single_turn',
      reason: 'without an --input-file of the type single_turn',
    },
    {
      options: ['apply-chat-template'],
      when: !hasMessages(endpoint),
      reason: `with --endpoint-type ${endpoint}, whose requests have no messages`,
    },
    {
      options: ['tokenizer-revision'],
      when: !tokenizer.includes('@'),
      reason: `with the tokenizer ${tokenizer}, which is not a model of the Hugging Face hub`,
    },
    {
      options: ['tokenizer'],
      // The prompts of a trace are generated, and those of ShareGPT selected, by the number of their tokens.
      when:
        tokenCount === 'server' &&
        datasetType !== undefined &&
        datasetType !== 'sharegpt' &&
        !isTraceType(datasetType),
      reason: 'with the token counts of the server and the prompts of a file',
    },
    {
      options: ['tokenizer'],
      when: !countsTokens(endpoint),
      reason: `with --endpoint-type ${endpoint}, whose requests have no tokens`,
    },
  ];
}
