import { expect, test } from 'vitest';
import { model, post, readJson, startSimulator } from '../support/server.ts';

const texts = ['one', 'two three', 'one'];

test.each([
  [
    '/v1/ranking',
    { model, query: { text: 'q' }, passages: texts.map(text => ({ text })) },
    'rankings',
    'logit',
  ],
  ['/v2/rerank', { model, query: 'q', documents: texts }, 'results', 'relevance_score'],
  ['/rerank', { query: 'q', texts }, undefined, 'score'],
])('POST %s ranks all passages by their scores', async (path, body, list, name) => {
  const simulator = await startSimulator();
  const json = await readJson(await post(simulator.address.url + path, body));
  const ranked: Record<string, number>[] = list === undefined ? json : json[list];
  const scores = ranked.map(entry => entry[name]!);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const byIndex = new Map(ranked.map(entry => [entry.index, entry[name]]));
  expect(byIndex.size).toBe(3);
  // Equal texts have equal scores.
  expect(byIndex.get(0)).toBe(byIndex.get(2));
  expect(byIndex.get(0)).not.toBe(byIndex.get(1));
  // The query and a passage are one request without output.
  const { requests } = simulator.getTruth();
  expect(requests.map(({ outputTokens }) => outputTokens)).toEqual([0, 0, 0]);
  if (list !== undefined) expect(json.usage).toEqual({ prompt_tokens: 7, total_tokens: 7 });
});

test('returns at most the requested number of results', async () => {
  const { address } = await startSimulator();
  const body = { model, query: 'q', documents: texts, top_n: 1 };
  expect((await readJson(await post(`${address.url}/v2/rerank`, body))).results).toHaveLength(1);
});

test.each([
  ['/v1/ranking', { query: 'q', passages: ['a'] }, 400, 'model'],
  ['/v2/rerank', { model: 'other', query: 'q', documents: ['a'] }, 404, 'model'],
  ['/v2/rerank', { model, query: 'q', documents: [] }, 400, 'documents'],
  ['/rerank', { texts: ['a'] }, 400, 'query'],
  ['/rerank', { query: 'q', texts: [5] }, 400, 'texts'],
  ['/rerank', { query: 'q', texts: ['word '.repeat(9000)] }, 400, 'texts'],
])('POST %s rejects the invalid request %#', async (path, body, status, param) => {
  const { address } = await startSimulator();
  const response = await post(address.url + path, body);
  expect(response.status).toBe(status);
  expect((await readJson(response)).error.param).toBe(param);
});
