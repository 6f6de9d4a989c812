import { Random } from '@org/core';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Conversation, Inputs, Turn } from './conversation.ts';
import { InputError, withPlace } from './inputError.ts';
import { type Fields, isObject, parseJsonObject } from './inputFile.ts';
import { readJsonElements } from './jsonElements.ts';
import { createFixedInputs } from './payloadInputs.ts';
import type { FileOptions } from './sampling.ts';
import { drawInteger, type ValueDistribution } from './valueDistribution.ts';

/** Limits of the lengths of prompts and responses, in tokens, by which vLLM and AIPerf select conversations. */
const MIN_TOKENS = 4;
const MAX_PROMPT_TOKENS = 1024;
const MAX_TOTAL_TOKENS = 2048;

/** Options of {@link openShareGptInputs}. */
export interface ShareGptOptions extends FileOptions {
  /** Counts the tokens of prompts and responses; without a tokenizer, each word counts as one token. */
  readonly tokenizer?: Tokenizer;
  /** Maximum response length, in tokens; by default, the length of the recorded response. */
  readonly outputTokens?: ValueDistribution;
}

/**
 * Reads conversations in the format of ShareGPT: a JSON list of `{"conversations": [{"from": "human", "value": ...},
 * {"from": "gpt", "value": ...}]}`. Each pair of a question and a response is a turn; the length of the response
 * limits the response to request. Leaves out conversations with a prompt or response of fewer than 4 tokens, a prompt
 * of more than 1024, or both of more than 2048, as AIPerf does. Rejects with the file and line number if a
 * conversation is invalid.
 */
export async function openShareGptInputs(path: string, options: ShareGptOptions = {}): Promise<Inputs> {
  const { outputTokens, seed = 0, tokenizer } = options;
  const count = tokenizer ? (text: string) => tokenizer.count(text) : countWords;
  const random = new Random(seed).fork('output lengths');
  const conversations: Conversation[] = [];
  let total = 0;
  for await (const { text, line } of readJsonElements(path)) {
    total += 1;
    const pairs = withPlace(`${path}:${line}`, () => parsePairs(parseJsonObject(text, 'the conversation')));
    const turns = pairs.map(pair => measurePair(pair, count));
    if (turns.length === 0 || !turns.every(turn => hasUsualLengths(turn, outputTokens !== undefined)))
      continue;
    const draw = random.fork(`${conversations.length}`);
    conversations.push({
      id: `sharegpt-${total - 1}`,
      turns: outputTokens
        ? turns.map(turn => ({ ...turn, maxTokens: drawInteger(outputTokens, 1, draw) }))
        : turns,
    });
  }
  if (total > 0 && conversations.length === 0)
    throw new InputError(
      `${path} has ${total} conversations, but none of them has prompts of ${MIN_TOKENS} to ${MAX_PROMPT_TOKENS} tokens with responses`,
    );
  return createFixedInputs(path, conversations, options);
}

/** A prompt, and the recorded response. */
type Pair = readonly [prompt: string, response: string];

function parsePairs({ conversations: messages }: Fields): Pair[] {
  if (messages === undefined) throw new InputError('missing conversations; expected a list of messages');
  if (!Array.isArray(messages) || !messages.every(isObject))
    throw new InputError('conversations must be a list of objects with from and value');
  const hasRoles = messages.some(({ from }) => isRole(from));
  const relevant = hasRoles ? messages.filter(({ from }) => isRole(from)) : messages.slice(0, 2);
  const pairs: Pair[] = [];
  for (let index = 0; index + 1 < relevant.length; index++) {
    const [first, second] = [relevant[index]!, relevant[index + 1]!];
    if (hasRoles && (first.from !== 'human' || second.from !== 'gpt')) continue;
    const [prompt, response] = [first.value, second.value];
    if (typeof prompt === 'string' && typeof response === 'string' && prompt !== '' && response !== '')
      pairs.push([prompt, response]);
    index += 1;
  }
  return pairs;
}

function isRole(from: unknown): boolean {
  return from === 'human' || from === 'gpt';
}

type MeasuredTurn = Turn & { readonly tokens: number; readonly maxTokens: number };

function measurePair([prompt, response]: Pair, count: (text: string) => number): MeasuredTurn {
  return { text: prompt, tokens: count(prompt), maxTokens: count(response) };
}

function hasUsualLengths({ tokens, maxTokens }: MeasuredTurn, hasOutputLength: boolean): boolean {
  return (
    tokens >= MIN_TOKENS &&
    (hasOutputLength || maxTokens >= MIN_TOKENS) &&
    tokens <= MAX_PROMPT_TOKENS &&
    tokens + maxTokens <= MAX_TOTAL_TOKENS
  );
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(word => word !== '').length;
}
