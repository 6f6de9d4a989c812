import type { RequestRecord } from '@org/loadgen';
import { createSimulator } from '@org/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { fetchTruth } from '../../src/loadgen/simulatorTruth.ts';

test('finds the times that the simulator recorded for a request by the ID of the response', async () => {
  const simulator = createSimulator({ seed: 1, truthEndpoint: true, speed: 100 });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen(0);
  const sendRequest = async (maxTokens: number): Promise<string> => {
    const response = await fetch(`${url}/v1/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'servelens/simulated-8b',
        prompt: 'hello',
        max_tokens: maxTokens,
        ignore_eos: true,
        stream: true,
      }),
    });
    return /"id":"([^"]+)"/.exec(await response.text())![1]!;
  };
  const [, secondId] = [await sendRequest(2), await sendRequest(5)];
  const findTruth = await fetchTruth(url);
  const truth = findTruth({ servedId: secondId } as RequestRecord);
  expect(truth.outputTokens).toBe(5);
  expect(truth.receivedNs).toBeLessThan(truth.firstWrittenNs);
  expect(truth.firstWrittenNs).toBeLessThanOrEqual(truth.lastWrittenNs);
  expect(() => findTruth({ servedId: 'cmpl-0000ffff' } as RequestRecord)).toThrow(
    'the simulator has no request cmpl-0000ffff',
  );
});
