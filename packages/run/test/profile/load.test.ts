import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '@org/scrape';
import { expect, test } from 'vitest';
import type { InputPlan, ProfilePlan } from '../../src/plan/profilePlan.ts';
import { openLoad } from '../../src/profile/load.ts';
import { createFolder, createProfilePlan } from '../plans.ts';

const open = (changes: Partial<ProfilePlan>) =>
  openLoad(createProfilePlan('http://127.0.0.1:1', changes), createSystemClock());

test.each<[string, Partial<ProfilePlan>, string]>([
  ['the servers', { tokenCount: 'server' }, 'server'],
  ['the embedded tokenizer', { tokenCount: 'auto' }, 'o200k_base'],
])('names %s as the source of token counts', async (_, changes, tokenizer) => {
  const load = await open(changes);
  expect(load.tokenizer).toBe(tokenizer);
  await load.close();
});

test('opens worker threads', async () => {
  const load = await open({ workers: 1, tokenCount: 'auto' });
  expect(load.tokenizer).toBe('o200k_base');
  await load.close();
});

const INPUTS: InputPlan = {
  inputTokens: { mean: 20, stddev: 0 },
  sampling: 'sequential',
  fixedSchedule: false,
};

test.each<[string, Partial<ProfilePlan>, object]>([
  ['an unknown tokenizer', { tokenizer: '/nowhere' }, { field: 'tokenizer.file' }],
  [
    'a file that worker threads cannot read repeatedly',
    { inputs: { ...INPUTS, file: '/dev/null', datasetType: 'single_turn' }, workers: 1 },
    { field: 'inputs.file', value: '/dev/null', reason: expect.stringContaining('not a regular file') },
  ],
])('throws PlanError for %s', async (_, changes, error) => {
  await expect(open(changes)).rejects.toMatchObject(error);
});

test('throws PlanError for invalid inputs', async () => {
  const file = join(createFolder(), 'inputs.jsonl');
  writeFileSync(file, '{"text": 5}\n');
  await expect(open({ inputs: { ...INPUTS, file } })).rejects.toMatchObject({
    field: 'inputs.file',
    message: expect.stringContaining(file),
    reason: 'line 1: text is 5; expected a string',
  });
});
