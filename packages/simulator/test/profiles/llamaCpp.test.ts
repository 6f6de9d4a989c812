import { expect, test } from 'vitest';
import { readSampleValue } from '../support/exposition.ts';
import { expectSameFamilies, listCompleted, readPages, runUnderLoad } from '../support/profiles.ts';
import { hasShared } from '../support/shared.ts';

const simulation = runUnderLoad({ kind: 'llamacpp', engines: 2 });
const families = readPages(simulation);
const read = (name: string): number => readSampleValue(families, `llamacpp:${name}`);

test.skipIf(!hasShared)('has the families, types and labels of the page of a real server', () => {
  expectSameFamilies(families, 'peers/llama.cpp-2026.10/during.prom');
});

test('counts the generated tokens of requests that completed', () => {
  const completed = listCompleted(simulation);
  expect(completed.length).toBeGreaterThan(20);
  expect(read('tokens_predicted_total')).toBe(sum(completed.map(({ outputTokens }) => outputTokens)));
  const seconds = sum(completed.map(({ finishNs, firstTokenNs }) => (finishNs - firstTokenNs) / 1e9));
  expect(read('tokens_predicted_seconds_total')).toBeCloseTo(seconds, 1);
  const lengths = completed.map(({ promptTokens, outputTokens }) => promptTokens + outputTokens);
  expect(read('n_tokens_max')).toBe(Math.max(...lengths));
});

test('counts cached prompt tokens apart from computed prompt tokens', () => {
  const completed = listCompleted(simulation);
  expect(read('prompt_tokens_cached_total')).toBeGreaterThan(0);
  expect(read('prompt_tokens_total') + read('prompt_tokens_cached_total')).toBeGreaterThanOrEqual(
    sum(completed.map(({ promptTokens }) => promptTokens)),
  );
});

test('shows the requests in progress, and waiting', () => {
  expect(read('requests_processing')).toBe(sum(simulation.engines.map(({ running }) => running)));
  expect(read('requests_deferred')).toBe(sum(simulation.engines.map(({ waiting }) => waiting)));
  expect(read('requests_processing')).toBeGreaterThan(0);
  expect(read('n_busy_slots_per_decode')).toBeGreaterThan(1);
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
