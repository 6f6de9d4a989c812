import { CHAT_PARTS, formatMessages } from './contentParts.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** OpenAI's chat completions API, as implemented by vLLM, SGLang, TensorRT-LLM and Dynamo. */
export const chat: Endpoint = {
  name: 'chat',
  path: '/v1/chat/completions',
  canStream: true,
  generatesText: true,
  sendsHistory: true,
  media: ['images', 'audios', 'videos'],
  promptFields: ['messages'],
  limitFields: ['max_completion_tokens', 'max_tokens'],
  buildBody({ model, messages, maxTokens, stream, usage, ...options }: RequestParams) {
    const limit = options.legacyMaxTokens ? 'max_tokens' : 'max_completion_tokens';
    return {
      messages: formatMessages(messages, CHAT_PARTS),
      model,
      stream,
      ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
      ...(stream && usage ? { stream_options: describeUsage(options.chunkUsage) } : {}),
    };
  },
  parseChunk(json: unknown): Delta {
    return parseMessages(json, 'delta');
  },
  parseResponse(json: unknown): Delta {
    return parseMessages(json, 'message');
  },
};

function describeUsage(chunkUsage = false): Record<string, boolean> {
  return { include_usage: true, ...(chunkUsage ? { continuous_usage_stats: true } : {}) };
}

function parseMessages(json: unknown, field: 'delta' | 'message'): Delta {
  const fields = toFields(json);
  let text = '';
  let reasoning = '';
  for (const choice of readChoices(fields)) {
    const message = toFields(choice[field]);
    text += readContent(message.content) + readToolCalls(message.tool_calls);
    // vLLM and DeepSeek use `reasoning_content`, newer servers `reasoning`.
    reasoning += toText(message.reasoning_content) || toText(message.reasoning);
  }
  return createDelta(fields, text, reasoning);
}

/** Returns the text of message content, which is a string or a list of parts. Parts without text are skipped. */
function readContent(value: unknown): string {
  if (!Array.isArray(value)) return toText(value);
  return value.map(part => toText(toFields(part).text)).join('');
}

/** Concatenates the names and arguments of tool calls, because the model generates them as tokens too. */
function readToolCalls(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map(call => toFields(toFields(call).function))
    .map(({ name, arguments: args }) => toText(name) + toText(args))
    .join('');
}
