import type { Delta, Endpoint, EndpointName, RequestParams } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** OpenAI's chat completions API, as implemented by vLLM, SGLang, TensorRT-LLM and Dynamo. */
const chat: Endpoint = {
  name: 'chat',
  path: '/v1/chat/completions',
  canStream: true,
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

/** OpenAI's text completions API. The prompt consists of all messages of the conversation, joined by line breaks. */
const completions: Endpoint = {
  name: 'completions',
  path: '/v1/completions',
  canStream: true,
  buildBody({ model, messages, maxTokens, stream, usage }: RequestParams) {
    return {
      prompt: messages.map(({ content }) => content).join('\n'),
      model,
      stream,
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(stream && usage ? { stream_options: { include_usage: true } } : {}),
    };
  },
  parseChunk: parseTexts,
  parseResponse: parseTexts,
};

function parseTexts(json: unknown): Delta {
  const fields = toFields(json);
  const texts = readChoices(fields).map(({ text }) => toText(text));
  return createDelta(fields, texts.join(''), '');
}

/** OpenAI's embeddings API, which has no output tokens and no streaming. Only the last message is sent. */
const embeddings: Endpoint = {
  name: 'embeddings',
  path: '/v1/embeddings',
  canStream: false,
  buildBody({ model, messages }: RequestParams) {
    return { model, input: messages.at(-1)?.content ?? '' };
  },
  parseChunk: countVectors,
  parseResponse: countVectors,
};

function countVectors(json: unknown): Delta {
  const fields = toFields(json);
  const vectors = Array.isArray(fields.data) ? fields.data.length : 0;
  return { ...createDelta(fields, '', ''), vectors };
}

/** The supported APIs by name. */
export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = { chat, completions, embeddings };
