import { expect, test } from 'vitest';
import { readSampleValue } from '../../support/exposition.ts';
import { listCompleted, readPages, runUnderLoad } from '../../support/profiles.ts';

const simulation = runUnderLoad({ kind: 'dynamo', model: 'Org/Model' });
const families = readPages(simulation);
const { requests } = simulation.getTruth();
const completed = listCompleted(simulation);

test('counts requests by outcome, with the model in lower case', () => {
  const read = (status: string): number =>
    readSampleValue(families, 'dynamo_frontend_requests_total', { status, model: 'org/model' });
  expect([read('success'), read('error')]).toEqual([completed.length, requests.length - completed.length]);
  expect(readSampleValue(families, 'dynamo_frontend_disconnected_clients')).toBe(read('error'));
});

test('names the error of an aborted request', () => {
  const ended = families.get('dynamo_frontend_requests_total')!.samples;
  const errors = ended.map(({ labels: { status, error_type } }) => `${status} ${error_type}`);
  expect(new Set(errors)).toEqual(new Set(['success ', 'error cancelled']));
});

test('keeps the case of the model in its configuration', () => {
  const labels = { model: 'Org/Model' };
  expect(readSampleValue(families, 'dynamo_frontend_model_context_length', labels)).toBe(8192);
});

test('a request is queued until its first token', () => {
  const [engine] = simulation.engines;
  const inFlight = engine!.running + engine!.waiting;
  expect(readSampleValue(families, 'dynamo_frontend_inflight_requests')).toBe(inFlight);
  const queued = readSampleValue(families, 'dynamo_frontend_queued_requests');
  expect(queued).toBeGreaterThan(0);
  expect(queued).toBeLessThan(inFlight);
});

test('counts the tokens of all requests, with one first token each', () => {
  const started = readSampleValue(families, 'dynamo_frontend_time_to_first_token_seconds_count');
  const gaps = readSampleValue(families, 'dynamo_frontend_inter_token_latency_seconds_count');
  expect(readSampleValue(families, 'dynamo_frontend_output_tokens_total')).toBe(started + gaps);
});
