import { expect, test } from 'vitest';
import { model, post, readJson, startSimulator } from '../support/server.ts';

test('returns one unit vector per input, equal for equal texts', async () => {
  const simulator = await startSimulator();
  const response = await post(`${simulator.address.url}/v1/embeddings`, {
    model,
    input: ['one', 'two three', 'one'],
  });
  const { data, usage } = await readJson(response);
  expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
  expect(data.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2]);
  expect(data[0].embedding).toEqual(data[2].embedding);
  expect(data[0].embedding).not.toEqual(data[1].embedding);
  expect(Math.hypot(...data[1].embedding)).toBeCloseTo(1, 6);
  // The engine processed each input as a request without output.
  expect(simulator.getTruth().requests.map(({ outputTokens }) => outputTokens)).toEqual([0, 0, 0]);
});

test('returns the same vector in base64', async () => {
  const { address } = await startSimulator();
  const embed = async (format: string) => {
    const body = { model, input: 'one', encoding_format: format };
    return (await readJson(await post(`${address.url}/v1/embeddings`, body))).data[0].embedding;
  };
  const bytes = Buffer.from(await embed('base64'), 'base64');
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  expect([...values]).toEqual(await embed('float'));
});

test.each([
  [{ input: 'x' }, 400, 'model'],
  [{ model: 'other', input: 'x' }, 404, 'model'],
  [{ model }, 400, 'input'],
  [{ model, input: [] }, 400, 'input'],
  [{ model, input: ['a', ''] }, 400, 'input'],
  [{ model, input: 'word '.repeat(9000) }, 400, 'input'],
])('rejects the invalid request %#', async (body, status, param) => {
  const { address } = await startSimulator();
  const response = await post(`${address.url}/v1/embeddings`, body);
  expect(response.status).toBe(status);
  expect((await readJson(response)).error.param).toBe(param);
});
