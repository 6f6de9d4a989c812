import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** OpenAI's text completions API. The prompt is all messages of the conversation, joined by line breaks. */
export const completions: Endpoint = {
  name: 'completions',
  path: '/v1/completions',
  canStream: true,
  buildBody({ model, messages, maxTokens, stream, usage }: RequestParams) {
    return {
      model,
      prompt: messages.map(({ content }) => content).join('\n'),
      stream,
      ...(stream && usage ? { stream_options: { include_usage: true } } : {}),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    };
  },
  parseChunk: parseChoices,
  parseResponse: parseChoices,
};

function parseChoices(json: unknown): Delta {
  const fields = toFields(json);
  const texts = readChoices(fields).map(({ text }) => toText(text));
  return createDelta(fields, texts.join(''), '');
}
