import { expect, test } from 'vitest';
import { readExposition, readSampleValue } from '../support/exposition.ts';
import { post, readJson, sendRaw, startSimulator, waitUntil } from '../support/server.ts';

const enabled = { controlEndpoint: true } as const;

test('sets and clears faults', async () => {
  const { address } = await startSimulator(enabled);
  const created = await post(`${address.url}/control`, {
    fault: { kind: 'status', status: 503, scrapes: 2 },
  });
  expect(await readJson(created)).toEqual({ faults: [{ kind: 'status', status: 503, scrapes: 2 }] });
  expect((await sendRaw(address.metricsUrl)).status).toBe(503);
  const added = await post(`${address.url}/control`, { faults: [{ kind: 'html' }, { kind: 'redirect' }] });
  expect((await readJson(added)).faults).toHaveLength(3);
  expect(await readJson(await post(`${address.url}/control`, { clear: true }))).toEqual({ faults: [] });
  expect((await sendRaw(address.metricsUrl)).status).toBe(200);
});

test.each([
  [{ fault: { kind: 'fire' } }, 'invalid fault kind "fire"'],
  [{ explode: true }, '"explode" is not a command'],
])('rejects %j', async (body, message) => {
  const { address } = await startSimulator(enabled);
  const response = await post(`${address.url}/control`, body);
  expect(response.status).toBe(400);
  expect((await readJson(response)).error.message).toContain(message);
});

test('restart resets all counters', async () => {
  const simulator = await startSimulator({ ...enabled, arrivalRate: 20 });
  const readCounter = (name: string): number => readSampleValue(readExposition(simulator.scrape()), name);
  await waitUntil(() => readCounter('vllm:generation_tokens_total') > 300);
  const startTimeS = readCounter('process_start_time_seconds');
  await post(`${simulator.address.url}/control`, { restart: true });
  await waitUntil(() => readCounter('process_start_time_seconds') > startTimeS);
  const [countSinceRestart, histograms] = [
    readCounter('vllm:time_to_first_token_seconds_count'),
    simulator.getTruth().histograms,
  ];
  const firstTokens = histograms.find(({ name }) => name === 'vllm:time_to_first_token_seconds')!;
  expect(countSinceRestart).toBeLessThan(firstTokens.values.length);
  expect((await sendRaw(simulator.address.metricsUrl)).status).toBe(200);
});
