import { CHAT_PARTS, formatMessages } from './contentParts.ts';
import type { Endpoint, RequestParams } from './endpoint.ts';
import { countVectors } from './vectors.ts';

/** The embeddings API of vLLM for texts with images, which are sent as messages of a chat. */
export const chatEmbeddings: Endpoint = {
  name: 'chat_embeddings',
  path: '/v1/embeddings',
  canStream: false,
  generatesText: false,
  sendsHistory: true,
  media: ['images', 'audios', 'videos'],
  promptFields: ['messages'],
  limitFields: [],
  buildBody({ model, messages }: RequestParams) {
    return { messages: formatMessages(messages, CHAT_PARTS), model, stream: false };
  },
  parseChunk: countVectors,
  parseResponse: countVectors,
};
