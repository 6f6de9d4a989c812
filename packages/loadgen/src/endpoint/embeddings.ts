import { listMessageTexts } from './contentParts.ts';
import type { Endpoint, Message, RequestParams } from './endpoint.ts';
import { countVectors } from './vectors.ts';

/** OpenAI's embeddings API, which has no output tokens and no streaming. Only the last message is sent. */
export const embeddings: Endpoint = {
  name: 'embeddings',
  path: '/v1/embeddings',
  canStream: false,
  generatesText: false,
  sendsHistory: false,
  promptFields: ['input'],
  limitFields: [],
  buildBody({ model, messages }: RequestParams) {
    return { model, input: listMessageTexts(messages.slice(-1)) };
  },
  parseChunk: countVectors,
  parseResponse: countVectors,
};

/** The embeddings API of NVIDIA NIM. A text and its image are one input. */
export const nimEmbeddings: Endpoint = {
  ...embeddings,
  name: 'nim_embeddings',
  media: ['images'],
  buildBody({ model, messages }: RequestParams) {
    return { model, input: joinInputs(messages.at(-1)) };
  },
};

/** Joins each text with its image. Without texts, the images are the inputs. */
function joinInputs(message: Message | undefined): readonly string[] {
  const texts = message ? listMessageTexts([message]).filter(text => text !== '') : [];
  const images = message?.contents?.images ?? [];
  if (images.length === 0) return texts;
  return images.map((image, index) => (texts[index] === undefined ? image : `${texts[index]} ${image}`));
}
