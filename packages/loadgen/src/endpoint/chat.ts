import type { Asked, Delta, Endpoint } from './endpoint.ts';
import { choicesOf, deltaOf, fieldsOf, textOf } from './responseFields.ts';

/** OpenAI's chat completions, as vLLM, SGLang, TensorRT-LLM and Dynamo serve them. */
export const chat: Endpoint = {
  name: 'chat',
  path: '/v1/chat/completions',
  streams: true,
  fields({ model, messages, maxTokens, stream, usage, legacyMaxTokens }: Asked) {
    const limit = legacyMaxTokens ? 'max_tokens' : 'max_completion_tokens';
    return {
      model,
      messages,
      stream,
      ...(stream && usage ? { stream_options: { include_usage: true } } : {}),
      ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
    };
  },
  chunk(json: unknown): Delta {
    return said(json, 'delta');
  },
  answer(json: unknown): Delta {
    return said(json, 'message');
  },
};

function said(json: unknown, name: 'delta' | 'message'): Delta {
  const fields = fieldsOf(json);
  let text = '';
  let reasoning = '';
  for (const choice of choicesOf(fields)) {
    const message = fieldsOf(choice[name]);
    text += contentOf(message.content) + calls(message.tool_calls);
    // vLLM and DeepSeek say `reasoning_content`, newer servers `reasoning`.
    reasoning += textOf(message.reasoning_content) || textOf(message.reasoning);
  }
  return deltaOf(fields, text, reasoning);
}

/** What a message says: a text, or a list of parts of which some are texts. */
function contentOf(value: unknown): string {
  if (!Array.isArray(value)) return textOf(value);
  return value.map(part => textOf(fieldsOf(part).text)).join('');
}

/** What a model says when it calls tools: names and arguments are generated tokens as well. */
function calls(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map(call => fieldsOf(fieldsOf(call).function))
    .map(({ name, arguments: given }) => textOf(name) + textOf(given))
    .join('');
}
