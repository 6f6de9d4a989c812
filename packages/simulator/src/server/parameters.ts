import { ApiError } from './reply.ts';
import { countTokens } from './tokens.ts';

/** What of a completion request bears on its course. */
export interface CompletionParameters {
  readonly model: string;
  readonly promptTokens: number;
  /** The beginning of the prompt that others may share. */
  readonly prefix: { readonly id: string; readonly tokens: number };
  readonly maxTokens: number | undefined;
  readonly minTokens: number;
  readonly ignoreEos: boolean;
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

type Body = Readonly<Record<string, unknown>>;

/** Tokens that a chat template adds: round each message, and for the answer's beginning. */
const messageOverhead = 4;
const answerOverhead = 3;

/** Reads the parameters of POST /v1/chat/completions. Throws ApiError (400) for what the API does not allow. */
export function chatParameters(body: Body): CompletionParameters {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new ApiError(400, 'messages must be a list of at least one message', 'messages');
  }
  const texts = messages.map(messageText);
  const lengths = texts.map(text => countTokens(text) + messageOverhead);
  const promptTokens = lengths.reduce((sum, tokens) => sum + tokens, answerOverhead);
  const shared = texts.length > 1 ? lengths[0]! : promptTokens;
  return { ...common(body), promptTokens, prefix: { id: `chat ${texts[0]}`, tokens: shared } };
}

/** Reads the parameters of POST /v1/completions: the prompt is a text, a list of one text, or a list of token ids. */
export function completionParameters(body: Body): CompletionParameters {
  const { prompt } = body;
  const single =
    Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] === 'string' ? prompt[0] : prompt;
  const isIds = Array.isArray(single) && single.length > 0 && single.every(id => Number.isInteger(id));
  if (typeof single !== 'string' && !isIds) {
    throw new ApiError(400, 'prompt must be a text, a list of one text, or a list of token ids', 'prompt');
  }
  const promptTokens =
    typeof single === 'string' ? Math.max(1, countTokens(single)) : (single as number[]).length;
  return { ...common(body), promptTokens, prefix: { id: `text ${String(single)}`, tokens: promptTokens } };
}

function common(body: Body): Omit<CompletionParameters, 'promptTokens' | 'prefix'> {
  const n = wholeNumber(body, 'n', 1) ?? 1;
  if (n !== 1) throw new ApiError(400, `n is ${n}; this server only accepts 1`, 'n');
  const stream = flag(body, 'stream');
  const options = body.stream_options ?? {};
  if (typeof options !== 'object')
    throw new ApiError(400, 'stream_options must be an object', 'stream_options');
  if (body.stream_options != null && !stream) {
    throw new ApiError(400, 'stream_options is only allowed when stream is true', 'stream_options');
  }
  return {
    model: modelName(body),
    maxTokens: wholeNumber(body, 'max_completion_tokens', 1) ?? wholeNumber(body, 'max_tokens', 1),
    minTokens: wholeNumber(body, 'min_tokens', 0) ?? 0,
    ignoreEos: flag(body, 'ignore_eos'),
    stream,
    includeUsage: flag(options as Body, 'include_usage'),
  };
}

/** The `model` of a request. Throws ApiError when it is no text. */
export function modelName({ model }: Body): string {
  if (typeof model !== 'string') throw new ApiError(400, 'model must be a text', 'model');
  return model;
}

function messageText(message: unknown): string {
  const { role, content } = (message ?? {}) as Body;
  if (typeof role !== 'string') throw new ApiError(400, 'each message must have a role', 'messages');
  if (typeof content === 'string') return content;
  // An assistant's message that only calls tools has no content.
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content))
    throw new ApiError(400, 'content must be a text or a list of parts', 'messages');
  return content.map(part => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function wholeNumber(body: Body, name: string, least: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least) {
    throw new ApiError(
      400,
      `${name} is ${JSON.stringify(value)}; a whole number from ${least} is accepted`,
      name,
    );
  }
  return value;
}

function flag(body: Body, name: string): boolean {
  const value = body[name];
  if (value !== undefined && value !== null && typeof value !== 'boolean') {
    throw new ApiError(400, `${name} is ${JSON.stringify(value)}; true or false is accepted`, name);
  }
  return value === true;
}
