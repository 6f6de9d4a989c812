import { expect, test } from 'vitest';
import type { EndpointName } from '../../src/endpoint/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoint/endpoints.ts';

test.each<[EndpointName, unknown, number]>([
  ['embeddings', { data: [{ embedding: [1] }, { embedding: [2] }] }, 2],
  ['nim_embeddings', { data: [{ embedding: [1] }] }, 1],
  ['chat_embeddings', { data: [{ embedding: [1] }] }, 1],
  ['nim_rankings', { rankings: [{ index: 0, logit: 1 }] }, 1],
  ['cohere_rankings', { results: [{ index: 0, relevance_score: 1 }, { index: 1 }] }, 2],
  ['hf_tei_rankings', [{ index: 0, score: 0.5 }], 1],
  ['image_generation', { data: [{ b64_json: 'AA==' }] }, 1],
  ['image_generation', { type: 'image_generation.partial_image', b64_json: 'AA==' }, 1],
  ['image_retrieval', { data: [{ bounding_boxes: {} }] }, 1],
  ['cohere_rankings', { message: 'no results' }, 0],
  ['image_generation', { type: 'image_generation.started' }, 0],
])('%s: counts the results of %j', (endpoint, json, results) => {
  expect(ENDPOINTS[endpoint].parseResponse(json)).toMatchObject({ text: '', results });
});

test.each<[EndpointName, unknown, string]>([
  ['solido_rag', { content: 'answer', sources: [] }, 'answer'],
  ['audio_transcription', { text: 'spoken words' }, 'spoken words'],
  ['audio_transcription', 'spoken words', 'spoken words'],
])('%s: reads the text of %j', (endpoint, json, text) => {
  expect(ENDPOINTS[endpoint].parseResponse(json).text).toBe(text);
});

test('the usage of rankings is read', () => {
  const { usage } = ENDPOINTS.cohere_rankings.parseResponse({ results: [{}], usage: { prompt_tokens: 7 } });
  expect(usage).toEqual({ promptTokens: 7 });
});
