import { listMessageTexts } from './contentParts.ts';
import type { Delta, Endpoint, RequestParams } from './endpoint.ts';
import { createDelta, toFields, toText } from './responseFields.ts';

/** The API of Solido for generation with retrieved documents. Only the last message is sent. */
export const solidoRag: Endpoint = {
  name: 'solido_rag',
  path: '/rag/api/prompt',
  canStream: true,
  generatesText: true,
  sendsHistory: false,
  promptFields: ['query'],
  limitFields: [],
  buildBody({ model, messages }: RequestParams) {
    return {
      query: listMessageTexts(messages.slice(-1)),
      filters: { family: 'Solido', tool: 'SDE' },
      inference_model: model,
    };
  },
  parseChunk: parseContent,
  parseResponse: parseContent,
};

function parseContent(json: unknown): Delta {
  const fields = toFields(json);
  return createDelta(fields, toText(fields.content), '');
}
