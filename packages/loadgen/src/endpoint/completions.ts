import { listMessageTexts } from './contentParts.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** OpenAI's text completions API. The prompt consists of all messages of the conversation, joined by line breaks. */
export const completions: Endpoint = {
  name: 'completions',
  path: '/v1/completions',
  canStream: true,
  generatesText: true,
  sendsHistory: true,
  promptFields: ['prompt'],
  limitFields: ['max_tokens'],
  buildBody({ model, messages, maxTokens, stream, usage }: RequestParams) {
    return {
      prompt: formatPrompt(messages),
      model,
      stream,
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(stream && usage ? { stream_options: { include_usage: true } } : {}),
    };
  },
  parseChunk: parseTexts,
  parseResponse: parseTexts,
};

/** Returns the prompt, or a list of prompts if the only message has several texts. */
function formatPrompt(messages: RequestParams['messages']): string | readonly string[] {
  const texts = listMessageTexts(messages);
  return messages.length === 1 && texts.length > 1 ? texts : texts.join('\n');
}

function parseTexts(json: unknown): Delta {
  const fields = toFields(json);
  const texts = readChoices(fields).map(({ text }) => toText(text));
  return createDelta(fields, texts.join(''), '');
}
