import type { Delta, Endpoint, EndpointName, RequestParams } from './endpoint.ts';
import { createDelta, toFields } from './responseFields.ts';

/** A request to rank passages by a query. */
interface RankingRequest {
  readonly model: string;
  readonly query: string;
  readonly passages: readonly string[];
}

/** The ranking API of NVIDIA NIM. */
export const nimRankings: Endpoint = createRankings(
  'nim_rankings',
  '/v1/ranking',
  ({ model, query, passages }) => ({
    model,
    query: { text: query },
    passages: passages.map(text => ({ text })),
  }),
);

/** The ranking API of Cohere, as implemented by vLLM. */
export const cohereRankings: Endpoint = createRankings(
  'cohere_rankings',
  '/v2/rerank',
  ({ model, query, passages }) => ({ model, query, documents: passages }),
);

/** The ranking API of Text Embeddings Inference, which serves one model. */
export const teiRankings: Endpoint = createRankings('hf_tei_rankings', '/rerank', ({ query, passages }) => ({
  query,
  texts: passages,
}));

function createRankings(
  name: EndpointName,
  path: string,
  format: (request: RankingRequest) => Record<string, unknown>,
): Endpoint {
  return {
    name,
    path,
    canStream: false,
    generatesText: false,
    sendsHistory: false,
    ranksPassages: true,
    promptFields: ['query', 'passages', 'documents', 'texts'],
    limitFields: [],
    buildBody({ model, messages }: RequestParams) {
      const message = messages.at(-1);
      return format({
        model,
        query: message?.content ?? '',
        passages: message?.contents?.passages ?? [],
      });
    },
    parseChunk: countScores,
    parseResponse: countScores,
  };
}

function countScores(json: unknown): Delta {
  const fields = toFields(json);
  const scores = [json, fields.rankings, fields.results].find(Array.isArray) ?? [];
  return { ...createDelta(Array.isArray(json) ? {} : fields, '', ''), results: scores.length };
}
