import { expect, test } from 'vitest';
import { readSampleValue } from '../../support/exposition.ts';
import { readPages, runUnderLoad } from '../../support/profiles.ts';

const simulation = runUnderLoad({ kind: 'dynamo' });
const families = readPages(simulation);
const read = (name: string, labels: Record<string, string> = {}) => readSampleValue(families, name, labels);
const stageSum = (stage: string) => read('dynamo_frontend_stage_duration_seconds_sum', { stage });

test('requests without a first token are in one of the stages', () => {
  const stages = ['preprocess', 'route', 'dispatch'].map(stage =>
    read('dynamo_frontend_stage_requests', { stage }),
  );
  expect(stages.reduce((sum, value) => sum + value, 0)).toBe(read('dynamo_frontend_queued_requests'));
});

test('preprocessing and the round trip to the worker add up to the time to first token', () => {
  // Requests that are still in preprocessing or wait for their first token are in one of the sums only.
  const started = read('dynamo_frontend_stage_duration_seconds_count', { stage: 'transport_roundtrip' });
  expect(started).toBe(read('dynamo_frontend_time_to_first_token_seconds_count'));
  const preprocessed = read('dynamo_frontend_stage_duration_seconds_count', { stage: 'preprocess' });
  const meanPreprocess = stageSum('preprocess') / preprocessed;
  const mean = stageSum('transport_roundtrip') / started + meanPreprocess;
  const expected = read('dynamo_frontend_time_to_first_token_seconds_sum') / started;
  expect(Math.abs(mean - expected)).toBeLessThan(0.5 * meanPreprocess);
});

test('tokenization and the chat template add up to preprocessing', () => {
  const sum = read('dynamo_frontend_tokenize_seconds_sum') + read('dynamo_frontend_template_seconds_sum');
  expect(sum).toBeCloseTo(stageSum('preprocess'), 9);
});

test('detokenizes every generated token', () => {
  expect(read('dynamo_frontend_detokenize_token_count')).toBe(read('dynamo_frontend_output_tokens_total'));
});
