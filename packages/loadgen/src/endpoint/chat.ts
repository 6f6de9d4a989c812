import type { Asked, Delta, Endpoint } from './endpoint.ts';
import { deltaOf, type Fields, fieldsOf, firstChoice, textOf } from './reading.ts';

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
    const choice = firstChoice(fieldsOf(json));
    return said(fieldsOf(json), fieldsOf(choice.delta), choice.finish_reason);
  },
  answer(json: unknown): Delta {
    const choice = firstChoice(fieldsOf(json));
    return said(fieldsOf(json), fieldsOf(choice.message), choice.finish_reason);
  },
};

function said(json: Fields, message: Fields, finishReason: unknown): Delta {
  // vLLM and DeepSeek say `reasoning_content`, newer servers `reasoning`.
  const reasoning = textOf(message.reasoning_content) || textOf(message.reasoning);
  return deltaOf(json, textOf(message.content) + calls(message.tool_calls), reasoning, finishReason);
}

/** What a model says when it calls tools: names and arguments are generated tokens as well. */
function calls(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map(call => fieldsOf(fieldsOf(call).function))
    .map(({ name, arguments: given }) => textOf(name) + textOf(given))
    .join('');
}
