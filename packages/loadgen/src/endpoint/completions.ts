import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** OpenAI's text completions API. The prompt consists of all messages of the conversation, joined by line breaks. */
export const completions: Endpoint = {
  name: 'completions',
  path: '/v1/completions',
  canStream: true,
  limitFields: ['max_tokens'],
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
