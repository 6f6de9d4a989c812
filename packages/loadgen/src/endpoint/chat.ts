import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** OpenAI's chat completions API, as implemented by vLLM, SGLang, TensorRT-LLM and Dynamo. */
export const chat: Endpoint = {
  name: 'chat',
  path: '/v1/chat/completions',
  canStream: true,
  limitFields: ['max_completion_tokens', 'max_tokens'],
  buildBody({ model, messages, maxTokens, stream, usage, legacyMaxTokens }: RequestParams) {
    const limit = legacyMaxTokens ? 'max_tokens' : 'max_completion_tokens';
    return {
      messages,
      model,
      stream,
      ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
      ...(stream && usage ? { stream_options: { include_usage: true } } : {}),
    };
  },
  parseChunk(json: unknown): Delta {
    return parseMessages(json, 'delta');
  },
  parseResponse(json: unknown): Delta {
    return parseMessages(json, 'message');
  },
};

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
