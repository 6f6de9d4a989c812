import { expect, test } from 'vitest';
import { createSyntheticInputs } from '../../src/input/syntheticInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { createInputs, runLoad } from '../support/load.ts';
import { MODEL, startSimulator } from '../support/simulator.ts';
import { LocalCounter } from '../support/tokenCounter.ts';

test.each([
  ['responses', true, { ignore_eos: true }],
  ['responses', false, { ignore_eos: true }],
  ['messages', true, { ignore_eos: true }],
  ['messages', false, { ignore_eos: true }],
  ['huggingface_generate', true, { ignore_eos: true, details: true }],
  ['huggingface_generate', false, { ignore_eos: true, details: true }],
] as const)(
  '%s, streaming %s: client and server count the same tokens',
  async (endpoint, streaming, extra) => {
    const { simulator, url } = await startSimulator();
    const { summary, records } = await runLoad(url, {
      endpoint,
      counter: new LocalCounter(await openTokenizer()),
      inputs: createInputs(1, 7),
      target: { model: MODEL, streaming, extraInputs: extra },
      profiling: { concurrency: 3, requestCount: 6 },
    });
    expect(records.filter(({ failure }) => failure)).toEqual([]);
    expect(summary.phases).toMatchObject([{ sent: 6, succeeded: 6, failed: 0 }]);
    const { requests } = simulator.getTruth();
    expect(requests.map(({ outputTokens }) => outputTokens)).toEqual(Array(6).fill(7));
    const prompts = requests.map(({ promptTokens }) => promptTokens).sort((a, b) => a - b);
    const usages = records.map(({ usage }) => usage);
    expect(usages.map(usage => usage?.completionTokens)).toEqual(Array(6).fill(7));
    if (endpoint !== 'huggingface_generate')
      expect(usages.map(usage => usage!.promptTokens!).sort((a, b) => a - b)).toEqual(prompts);
    for (const record of records) {
      expect(record.finishReason).toBe('length');
      if (streaming) expect(record.arrivals.pieces).toBe(7);
    }
  },
);

test.each(['nim_rankings', 'cohere_rankings', 'hf_tei_rankings'] as const)(
  '%s: the server ranks all passages',
  async endpoint => {
    const { simulator, url } = await startSimulator();
    const inputs = createSyntheticInputs({
      seed: 1,
      inputTokens: { mean: 5 },
      rankings: { passages: { mean: 4 }, passageTokens: { mean: 6 }, queryTokens: { mean: 3 } },
    });
    const { summary } = await runLoad(url, {
      endpoint,
      inputs,
      target: { model: MODEL, streaming: false },
      profiling: { concurrency: 2, requestCount: 5 },
    });
    expect(summary.phases).toMatchObject([{ sent: 5, succeeded: 5, failed: 0 }]);
    expect(simulator.getTruth().requests).toHaveLength(20);
  },
);
