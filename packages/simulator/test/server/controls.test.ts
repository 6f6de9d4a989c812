import { expect, test } from 'vitest';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { json, listening, model, post, raw, until } from '../support/server.ts';

const open = { controlEndpoint: true, truthEndpoint: true } as const;

test('faults are set and cleared', async () => {
  const { at } = await listening(open);
  const set = await post(`${at.url}/control`, { fault: { kind: 'status', status: 503, scrapes: 2 } });
  expect(await json(set)).toEqual({ faults: [{ kind: 'status', status: 503, scrapes: 2 }] });
  expect((await raw(at.metricsUrl)).status).toBe(503);
  const more = await post(`${at.url}/control`, { faults: [{ kind: 'html' }, { kind: 'json' }] });
  expect((await json(more)).faults).toHaveLength(3);
  expect(await json(await post(`${at.url}/control`, { clear: true }))).toEqual({ faults: [] });
  expect((await raw(at.metricsUrl)).status).toBe(200);
});

test.each([
  [{ fault: { kind: 'fire' } }, 'fault kind is "fire"'],
  [{ explode: true }, '"explode" is no command'],
])('%j is refused', async (body, message) => {
  const { at } = await listening(open);
  const response = await post(`${at.url}/control`, body);
  expect(response.status).toBe(400);
  expect((await json(response)).error.message).toContain(message);
});

test('a restart begins all counters anew', async () => {
  const simulator = await listening({ ...open, arrivalRate: 20 });
  const value = (name: string): number => sampleValue(readExposition(simulator.exposition()), name);
  await until(() => value('vllm:generation_tokens_total') > 300);
  const started = value('process_start_time_seconds');
  await post(`${simulator.at.url}/control`, { restart: true });
  await until(() => value('process_start_time_seconds') > started);
  const [inOneLife, inBoth] = [value('vllm:time_to_first_token_seconds_count'), simulator.truth().histograms];
  const firstTokens = inBoth.find(({ name }) => name === 'vllm:time_to_first_token_seconds')!;
  expect(inOneLife).toBeLessThan(firstTokens.values.length);
  expect((await raw(simulator.at.metricsUrl)).status).toBe(200);
});

test('requests under way break off when the server restarts', async () => {
  const simulator = await listening({ speed: 1 });
  const response = await post(`${simulator.at.url}/v1/completions`, {
    model,
    prompt: 'x',
    max_tokens: 5000,
    ignore_eos: true,
    stream: true,
  });
  await simulator.control.restart();
  await expect(response.text()).rejects.toThrow();
  const next = await post(`${simulator.at.url}/v1/completions`, {
    model,
    prompt: 'x',
    max_tokens: 2,
    ignore_eos: true,
  });
  expect((await json(next)).usage.completion_tokens).toBe(2);
});

test('the port refuses for a while, and then is the same again', async () => {
  // Where nobody else listens, so that nobody takes the port meanwhile.
  const host = process.platform === 'linux' ? '127.0.0.4' : '127.0.0.1';
  const { at, control } = await listening({}, host);
  await control.refuse(1.5);
  await expect(raw(at.metricsUrl)).rejects.toThrow('ECONNREFUSED');
  await until(() =>
    raw(at.metricsUrl).then(
      () => true,
      () => false,
    ),
  );
  expect((await raw(at.metricsUrl)).status).toBe(200);
  await expect(control.refuse(0)).rejects.toThrow('0 seconds');
});

test('truth between marks, with and without the single observations', async () => {
  const { at } = await listening({ ...open, controlEndpoint: true });
  const complete = async (max_tokens: number): Promise<void> => {
    await (
      await post(`${at.url}/v1/completions`, { model, prompt: 'x', max_tokens, ignore_eos: true })
    ).text();
  };
  const truth = async (query: string) => JSON.parse((await raw(`${at.url}/truth${query}`)).body.toString());
  await complete(3);
  await post(`${at.url}/control`, { mark: 'begin' });
  await complete(5);
  await post(`${at.url}/control`, { mark: 'end' });
  await complete(2);

  const between = await truth('?from=begin&to=end');
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

  const all = await truth('?values=0');
  expect(all.requests).toHaveLength(3);
  expect(all.histograms[0]).not.toHaveProperty('values');
  expect((await raw(`${at.url}/truth?from=nowhere`)).body.toString()).toContain('there are [begin, end]');
});
