import { ApiError } from './jsonApi.ts';
import { countTokens } from './tokenizer.ts';

/** The parameters of a completion request that affect its simulation. */
export interface CompletionParameters {
  readonly model: string;
  readonly promptTokens: number;
  /** The prefix of the prompt that other requests may share. */
  readonly prefix: { readonly id: string; readonly tokens: number };
  readonly maxTokens: number | undefined;
  readonly minTokens: number;
  readonly ignoreEos: boolean;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

type Body = Readonly<Record<string, unknown>>;

/** Number of tokens that the chat template adds per message, and before the response. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_BEFORE_RESPONSE = 3;

/** Parses the parameters of POST /v1/chat/completions. Throws ApiError (400) for invalid requests. */
export function parseChatParameters(body: Body): CompletionParameters {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new ApiError(400, 'messages must be a non-empty list', 'messages');
  }
  const texts = messages.map(readMessageText);
  const lengths = texts.map(text => countTokens(text) + TOKENS_PER_MESSAGE);
  const promptTokens = lengths.reduce((sum, tokens) => sum + tokens, TOKENS_BEFORE_RESPONSE);
  const prefixTokens = texts.length > 1 ? lengths[0]! : promptTokens;
  return { ...parseCommon(body), promptTokens, prefix: { id: `chat ${texts[0]}`, tokens: prefixTokens } };
}

/**
 * Parses the parameters of POST /v1/completions: the prompt is a string, a list of one string, or a list of
 * token IDs. Throws ApiError (400) for invalid requests.
 */
export function parseCompletionParameters(body: Body): CompletionParameters {
  const { prompt } = body;
  const promptValue =
    Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] === 'string' ? prompt[0] : prompt;
  const isIds =
    Array.isArray(promptValue) && promptValue.length > 0 && promptValue.every(id => Number.isInteger(id));
  if (typeof promptValue !== 'string' && !isIds) {
    throw new ApiError(
      400,
      'prompt must be a string, a list of one string, or a list of token IDs',
      'prompt',
    );
  }
  const promptTokens =
    typeof promptValue === 'string'
      ? Math.max(1, countTokens(promptValue))
      : (promptValue as number[]).length;
  return {
    ...parseCommon(body),
    promptTokens,
    prefix: { id: `text ${String(promptValue)}`, tokens: promptTokens },
  };
}

function parseCommon(body: Body): Omit<CompletionParameters, 'promptTokens' | 'prefix'> {
  const n = parseInteger(body, 'n', 1) ?? 1;
  if (n !== 1) throw new ApiError(400, `n is ${n}; this server only supports 1`, 'n');
  const stream = parseFlag(body, 'stream');
  const options = body.stream_options ?? {};
  if (typeof options !== 'object')
    throw new ApiError(400, 'stream_options must be an object', 'stream_options');
  if (body.stream_options != null && !stream) {
    throw new ApiError(400, 'stream_options is only allowed if stream is true', 'stream_options');
  }
  return {
    model: parseModelName(body),
    maxTokens: parseInteger(body, 'max_completion_tokens', 1) ?? parseInteger(body, 'max_tokens', 1),
    minTokens: parseInteger(body, 'min_tokens', 0) ?? 0,
    ignoreEos: parseFlag(body, 'ignore_eos'),
    stream,
    includeUsage: parseFlag(options as Body, 'include_usage'),
  };
}

/** Parses the `model` of a request. Throws ApiError (400) if it is not a string. */
export function parseModelName({ model }: Body): string {
  if (typeof model !== 'string') throw new ApiError(400, 'model must be a string', 'model');
  return model;
}

function readMessageText(message: unknown): string {
  const { role, content } = (message ?? {}) as Body;
  if (typeof role !== 'string') throw new ApiError(400, 'each message must have a role', 'messages');
  if (typeof content === 'string') return content;
  // Assistant messages that only call tools have no content.
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content))
    throw new ApiError(400, 'content must be a string or a list of parts', 'messages');
  return content.map(part => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function parseInteger(body: Body, name: string, min: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min) {
    throw new ApiError(
      400,
      `${name} is ${JSON.stringify(value)}; expected an integer of at least ${min}`,
      name,
    );
  }
  return value;
}

function parseFlag(body: Body, name: string): boolean {
  const value = body[name];
  if (value !== undefined && value !== null && typeof value !== 'boolean') {
    throw new ApiError(400, `${name} is ${JSON.stringify(value)}; expected true or false`, name);
  }
  return value === true;
}
