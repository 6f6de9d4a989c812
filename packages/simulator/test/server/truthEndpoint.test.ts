import { expect, test } from 'vitest';
import { model, post, sendRaw, startSimulator } from '../support/server.ts';

test('returns the truth between marks, with and without individual observations', async () => {
  const { address } = await startSimulator({ controlEndpoint: true, truthEndpoint: true });
  const complete = async (max_tokens: number): Promise<void> => {
    await (
      await post(`${address.url}/v1/completions`, { model, prompt: 'x', max_tokens, ignore_eos: true })
    ).text();
  };
  const readTruth = async (query: string) =>
    JSON.parse((await sendRaw(`${address.url}/truth${query}`)).body.toString());
  await complete(3);
  await post(`${address.url}/control`, { mark: 'begin' });
  await complete(5);
  await post(`${address.url}/control`, { mark: 'end' });
  await complete(2);

  const between = await readTruth('?from=begin&to=end');
  expect(between.requests.map(({ outputTokens }: { outputTokens: number }) => outputTokens)).toEqual([5]);
  const gaps = between.histograms.find(
    ({ name }: { name: string }) => name === 'vllm:inter_token_latency_seconds',
  );
  expect(gaps).toMatchObject({ count: 4, labels: { engine: '0', model_name: model } });
  expect(gaps.values).toHaveLength(4);
  expect(gaps.sum).toBeCloseTo(
    gaps.values.reduce((sum: number, value: number) => sum + value, 0),
    12,
  );

  const truthWithoutValues = await readTruth('?values=0');
  expect(truthWithoutValues.requests).toHaveLength(3);
  expect(truthWithoutValues.histograms[0]).not.toHaveProperty('values');
  expect((await sendRaw(`${address.url}/truth?from=nowhere`)).body.toString()).toContain(
    'existing marks: begin, end',
  );
});
