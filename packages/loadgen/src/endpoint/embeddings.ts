import type { Asked, Delta, Endpoint } from './endpoint.ts';
import { deltaOf, fieldsOf } from './responseFields.ts';

/** OpenAI's embeddings. They have no output tokens and no stream; what was said before is not sent. */
export const embeddings: Endpoint = {
  name: 'embeddings',
  path: '/v1/embeddings',
  streams: false,
  fields({ model, messages }: Asked) {
    return { model, input: messages.at(-1)?.content ?? '' };
  },
  chunk: vectors,
  answer: vectors,
};

function vectors(json: unknown): Delta {
  const fields = fieldsOf(json);
  const count = Array.isArray(fields.data) ? fields.data.length : 0;
  return { ...deltaOf(fields, '', ''), vectors: count };
}
