import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PlanError } from '../../src/plan/planError.ts';
import type { ProfilePlan } from '../../src/plan/profilePlan.ts';
import type { RepeatEvent, RepeatedProfilePlan } from '../../src/repeat/repeatedProfile.ts';
import { runRepeatedly } from '../../src/repeat/repeatedRun.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';
import { createPlan } from './fakes.ts';

const url = await startSimulator();

/** Creates a plan of two runs of two requests. */
function createRepeatedPlan(changes: Partial<ProfilePlan> = {}): RepeatedProfilePlan {
  const profile = { targets: [], profiling: { concurrency: 1, requestCount: 2 }, ...changes };
  return {
    folder: createFolder(),
    runs: createPlan({ runs: 2, seed: 40, varySeed: true }),
    profiles: [createProfilePlan(url, profile)],
  };
}

/** Starts a server whose responses contain `usage` only in the first two of its requests. */
async function startServerWithoutLaterUsage(): Promise<string> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    const usage = requests <= 2 ? { usage: { prompt_tokens: 9, completion_tokens: 3 } } : {};
    const body = { choices: [{ message: { content: 'a b c d' } }], ...usage };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the first run chooses the source of token counts of all runs', async () => {
  const { request } = createProfilePlan(await startServerWithoutLaterUsage());
  const plan = createRepeatedPlan({ tokenCount: 'auto', request: { ...request, streaming: false } });
  const sources: unknown[] = [];
  await runRepeatedly(plan, {
    onEvent: event => {
      if (event.type === 'run_ended') sources.push(event.result!.document.load_generator!.token_source);
    },
  });
  expect(sources).toEqual(['server', 'server']);
});

const getJournal = ({ folder }: RepeatedProfilePlan): string => join(folder, 'profile_runs.journal');

test('gives each run its folder, seed and position', async () => {
  const events: RepeatEvent[] = [];
  const plan = createRepeatedPlan();
  const { outcomes } = await runRepeatedly(plan, { onEvent: event => events.push(event) });
  const documents = events.flatMap(event => (event.type === 'run_ended' ? [event.result!.document] : []));
  expect(documents.map(({ run_info }) => run_info)).toMatchObject(
    plan.runs.runs.map(({ seed, trial, label }) => ({ random_seed: seed, trial, run_label: label })),
  );
  expect(new Set(plan.runs.runs.map(({ seed }) => seed)).size).toBe(2);
  for (const { run } of outcomes)
    expect(existsSync(join(plan.folder, run.folder, 'profile_export.jsonl'))).toBe(true);
});

test.each([
  [true, ['warmup', undefined]],
  [false, ['warmup', 'warmup']],
])('warms up before the first run only: %s', async (warmsUpOnce, expected) => {
  const plan = createRepeatedPlan({ warmup: { concurrency: 1, requestCount: 1 } });
  const repetition = { ...plan.runs.repetition, warmsUpOnce };
  const names: unknown[] = [];
  await runRepeatedly(
    { ...plan, runs: { ...plan.runs, repetition } },
    {
      onEvent: event => {
        if (event.type !== 'run_ended') return;
        const { phases } = event.result!.document.input_config as { phases: { name: string }[] };
        names.push(phases.find(({ name }) => name === 'warmup')?.name);
      },
    },
  );
  expect(names).toEqual(expected);
});

test('keeps the journal if `keepJournal` is set', async () => {
  const plan = createRepeatedPlan({ storage: { keepJournal: true } });
  await runRepeatedly(plan, {});
  expect(existsSync(getJournal(plan))).toBe(true);
});

test('throws the input error of the first run and removes the journal', async () => {
  const plan = createRepeatedPlan({ tokenizer: '/nowhere' });
  await expect(runRepeatedly(plan, {})).rejects.toThrow(PlanError);
  expect(existsSync(getJournal(plan))).toBe(false);
});
