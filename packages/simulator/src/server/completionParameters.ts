import { ApiError } from './jsonApi.ts';
import { countTokens } from './tokenizer.ts';

/** The parameters of a completion request that affect its simulation. */
export interface CompletionParameters {
  /** Undefined if the API serves one model and its requests do not name it. */
  readonly model: string | undefined;
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

/** Number of tokens of a response of Text Generation Inference if the request does not limit them. */
const DEFAULT_NEW_TOKENS = 100;

/** Parses the parameters of POST /v1/chat/completions. Throws ApiError (400) for invalid requests. */
export function parseChatParameters(body: Body): CompletionParameters {
  return {
    ...parseCommon(body),
    maxTokens: parseMaxTokens(body),
    ...measureMessages(readMessages(body, 'messages')),
  };
}

/**
 * Parses the parameters of POST /v1/responses: the input is a string or a list of messages. Throws ApiError (400) for
 * invalid requests.
 */
export function parseResponsesParameters(body: Body): CompletionParameters {
  const { input, instructions } = body;
  const messages = typeof input === 'string' ? [input] : readMessages(body, 'input');
  const texts = typeof instructions === 'string' ? [instructions, ...messages] : messages;
  return {
    ...parseCommon(body),
    maxTokens: parseInteger(body, 'max_output_tokens', 1),
    ...measureMessages(texts),
  };
}

/** Parses the parameters of POST /v1/messages. Throws ApiError (400) for invalid requests. */
export function parseMessagesParameters(body: Body): CompletionParameters {
  const maxTokens = parseInteger(body, 'max_tokens', 1);
  if (maxTokens === undefined) throw new ApiError(400, 'max_tokens is required', 'max_tokens');
  const system = body.system == null ? [] : [readContent(body.system, 'system')];
  const texts = [...system, ...readMessages(body, 'messages')];
  return { ...parseCommon(body), maxTokens, ...measureMessages(texts) };
}

/** Parses the parameters of POST /generate and /generate_stream. Throws ApiError (400) for invalid requests. */
export function parseGenerateParameters({ inputs, parameters = {} }: Body): CompletionParameters {
  if (typeof inputs !== 'string') throw new ApiError(400, 'inputs must be a string', 'inputs');
  if (typeof parameters !== 'object' || parameters === null)
    throw new ApiError(400, 'parameters must be an object', 'parameters');
  const options = parameters as Body;
  const promptTokens = Math.max(1, countTokens(inputs));
  return {
    model: undefined,
    promptTokens,
    prefix: { id: `text ${inputs}`, tokens: promptTokens },
    maxTokens: parseInteger(options, 'max_new_tokens', 1) ?? DEFAULT_NEW_TOKENS,
    minTokens: parseInteger(options, 'min_new_tokens', 0) ?? 0,
    ignoreEos: parseFlag(options, 'ignore_eos'),
    stream: false,
    includeUsage: parseFlag(options, 'details'),
  };
}

/** Returns the texts of a list of messages. */
function readMessages(body: Body, name: string): string[] {
  const messages = body[name];
  if (!Array.isArray(messages) || messages.length === 0)
    throw new ApiError(400, `${name} must be a non-empty list`, name);
  return messages.map(message => readMessageText(message, name));
}

/** Counts the tokens of messages with the chat template. The first of several messages is the prefix. */
function measureMessages(texts: readonly string[]): Pick<CompletionParameters, 'promptTokens' | 'prefix'> {
  const lengths = texts.map(text => countTokens(text) + TOKENS_PER_MESSAGE);
  const promptTokens = lengths.reduce((sum, tokens) => sum + tokens, TOKENS_BEFORE_RESPONSE);
  const prefixTokens = texts.length > 1 ? lengths[0]! : promptTokens;
  return { promptTokens, prefix: { id: `chat ${texts[0]}`, tokens: prefixTokens } };
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
    maxTokens: parseMaxTokens(body),
    promptTokens,
    prefix: { id: `text ${String(promptValue)}`, tokens: promptTokens },
  };
}

function parseMaxTokens(body: Body): number | undefined {
  return parseInteger(body, 'max_completion_tokens', 1) ?? parseInteger(body, 'max_tokens', 1);
}

function parseCommon(body: Body): Omit<CompletionParameters, 'promptTokens' | 'prefix' | 'maxTokens'> {
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

function readMessageText(message: unknown, name: string): string {
  const { role, content } = (message ?? {}) as Body;
  if (typeof role !== 'string') throw new ApiError(400, 'each message must have a role', name);
  // Assistant messages that only call tools have no content.
  return content === null || content === undefined ? '' : readContent(content, name);
}

/** Returns the text of a string or of a list of parts. */
function readContent(content: unknown, name: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new ApiError(400, 'content must be a string or a list of parts', name);
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
