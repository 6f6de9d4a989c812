import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, toFields } from './responseFields.ts';

/** OpenAI's embeddings API, which has no output tokens and no streaming. Only the last message is sent. */
export const embeddings: Endpoint = {
  name: 'embeddings',
  path: '/v1/embeddings',
  canStream: false,
  limitFields: [],
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
