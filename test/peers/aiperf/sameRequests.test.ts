import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { root } from '../../source.ts';
import { describePeer, selectCases } from '../support/peer.ts';
import { Aiperf } from './aiperf.ts';
import { COMMAND_LINES, type CommandLine, INPUT_FILES } from './stub/commandLines.ts';
import { describeExperiment, type Experiment, listTexts, type Numbers } from './stub/experiment.ts';
import { type LoggedRequest, RequestServer } from './stub/requestServer.ts';

/** Differences of requests that the documentation lists, with the reason. */
const DIFFERENCES = readDifferences();
/** Name of the tokenizer in the cache of Hugging Face. Processes of AIPerf that read traces open no other. */
const TOKENIZER = 'local/bytes';
const REVISION = '0'.repeat(40);

/** Maximum difference of two means of random numbers, in standard errors. */
const MAX_STANDARD_ERRORS = 5;
/** Maximum ratio of two standard deviations of at least 60 random numbers. */
const MAX_DEVIATION_RATIO = 1.6;
/**
 * Maximum median difference of the times of requests in a schedule: this fraction of the duration of the schedule, or the
 * delays of a busy machine, whichever is larger.
 */
const MAX_TIME_DIFFERENCE = 0.05;
const MAX_DELAY_MS = 100;

describePeer('aiperf', 'The same command line', peer => {
  const aiperf = new Aiperf(peer);
  const env = { HF_HOME: join(aiperf.folder, 'huggingface'), HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1' };
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  beforeAll(() => {
    const model = join(env.HF_HOME, 'hub/models--local--bytes');
    const snapshot = join(model, 'snapshots', REVISION);
    for (const folder of [join(model, 'refs'), snapshot]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(model, 'refs/main'), REVISION);
    for (const file of ['tokenizer.json', 'tokenizer_config.json'])
      copyFileSync(join(aiperf.tokenizer, file), join(snapshot, file));
    addGenerationPrompt(join(snapshot, 'tokenizer_config.json'));
    for (const [name, text] of Object.entries(INPUT_FILES)) writeFileSync(join(aiperf.folder, name), text);
  });

  /** Runs a command line against a new server, and returns the requests that arrived. */
  async function record(
    { args, models = 'm' }: CommandLine,
    run: (args: readonly string[]) => Promise<unknown>,
  ): Promise<readonly LoggedRequest[]> {
    const server = await RequestServer.start();
    try {
      const folder = join(aiperf.folder, `run ${server.url.replaceAll(/\W+/g, '-')}`);
      const words = args
        .split(' ')
        .map(word =>
          word.replace(/[^:]+$/, name => (name in INPUT_FILES ? join(aiperf.folder, name) : name)),
        );
      const common = ['--model', models, '--url', server.url, '--tokenizer', TOKENIZER, '--ui', 'none'];
      await run(['profile', ...common, ...words, '--artifact-dir', folder]);
      return server.requests;
    } finally {
      await server.stop();
    }
  }

  describe.each(selectCases(COMMAND_LINES).map(line => [line.title, line] as const))('%s', (_, line) => {
    let requests: Readonly<Record<'aiperf' | 'servelens', readonly LoggedRequest[]>>;
    let expected: Experiment;
    let actual: Experiment;

    beforeAll(async () => {
      requests = {
        aiperf: await record(line, args => aiperf.run(args, env)),
        servelens: await record(line, async args => {
          const { code, stderr } = await runServelens(args, { env });
          expect(code, stderr).toBe(0);
        }),
      };
      expected = describeExperiment(requests.aiperf);
      actual = describeExperiment(requests.servelens);
    });

    test('sends as many requests to the same paths', () => {
      expect(Object.keys(actual.requests)).toEqual(Object.keys(expected.requests));
      for (const [path, count] of Object.entries(expected.requests)) {
        const difference = Math.abs(actual.requests[path]! - count) / count;
        expect(difference, `${actual.requests[path]} and ${count} to ${path}`).toBeLessThanOrEqual(
          line.tolerance ?? 0,
        );
      }
    });

    test('sends the same fields and headers, except for documented differences', () => {
      expect(removeDifferences(actual.fields)).toEqual(removeDifferences(expected.fields));
      expect(removeDifferences(actual.headers)).toEqual(removeDifferences(expected.headers));
    });

    test('sends prompts of the same lengths, and requests outputs of the same lengths', () => {
      expectSameNumbers(actual.texts, expected.texts);
      expectSameNumbers(actual.outputTokens, expected.outputTokens);
    });

    test.runIf(line.hasSameTexts)('sends the same texts', () => {
      expect(listTexts(requests.servelens)).toEqual(listTexts(requests.aiperf));
    });

    test.runIf(line.tolerance === undefined)('repeats as many prompts, in as many sessions', () => {
      expect(actual.differentBodies).toBe(expected.differentBodies);
      expect(actual.sessions).toBe(expected.sessions);
    });

    // If both are set, the limit decides when requests start, because the rate is higher than the server allows.
    const isLimited = line.args.includes('--concurrency');
    const hasTimes =
      /--request-rate|--user-centric-rate|--fixed-schedule|trace/.test(line.args) && !isLimited;

    test.runIf(!hasTimes)('has as many requests in flight', () => {
      expect(actual.peak).toBe(expected.peak);
    });

    test.runIf(hasTimes && !line.args.includes('ramp'))('sends requests at the same times', () => {
      if (line.hasRandomArrivals) expectSameGaps(actual.gaps, expected.gaps);
      else expectSameTimes(requests.servelens, requests.aiperf);
    });
  });
});

/** Expects gaps of the same distribution. */
function expectSameGaps(actual: Numbers, expected: Numbers): void {
  const error = actual.deviation / Math.sqrt(actual.count);
  expect(Math.abs(actual.mean - expected.mean)).toBeLessThan(MAX_STANDARD_ERRORS * 2 * error);
  expect(Math.abs(Math.log(actual.deviation / expected.deviation))).toBeLessThan(
    Math.log(MAX_DEVIATION_RATIO),
  );
}

/**
 * Expects the same schedule: the median difference of the times of the requests is small, apart from a common shift.
 * Single requests may be late on a busy machine, in particular the first one, which opens a connection.
 */
function expectSameTimes(actual: readonly LoggedRequest[], expected: readonly LoggedRequest[]): void {
  const count = Math.min(actual.length, expected.length);
  const shifts = Array.from(
    { length: count },
    (_, index) => actual[index]!.arrivedMs - expected[index]!.arrivedMs,
  );
  const shift = findMedian(shifts);
  const difference = findMedian(shifts.map(value => Math.abs(value - shift)));
  const span = expected[count - 1]!.arrivedMs - expected[0]!.arrivedMs;
  expect(difference, JSON.stringify(shifts)).toBeLessThan(Math.max(MAX_DELAY_MS, MAX_TIME_DIFFERENCE * span));
}

function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Adds the start of a response to the chat template of a tokenizer, as models have it. */
function addGenerationPrompt(file: string): void {
  const config = JSON.parse(readFileSync(file, 'utf8')) as { chat_template: string };
  const chatTemplate = `${config.chat_template}{% if add_generation_prompt %}assistant: {% endif %}`;
  writeFileSync(file, JSON.stringify({ ...config, chat_template: chatTemplate }));
}

/** Expects equal numbers if all of AIPerf's are equal, and otherwise a similar distribution. */
function expectSameNumbers(actual: Numbers, expected: Numbers): void {
  const labels = JSON.stringify({ actual, expected });
  if (expected.count === 0 || actual.count === 0) {
    expect(actual.count).toBe(expected.count);
    return;
  }
  if (expected.deviation < 1e-9) {
    expect(actual.mean, labels).toBe(expected.mean);
    expect(actual.deviation, labels).toBeLessThan(1e-9);
    return;
  }
  const error = Math.hypot(
    expected.deviation / Math.sqrt(expected.count),
    actual.deviation / Math.sqrt(actual.count),
  );
  expect(Math.abs(actual.mean - expected.mean), labels).toBeLessThan(MAX_STANDARD_ERRORS * error);
  expect(Math.abs(Math.log(actual.deviation / expected.deviation)), labels).toBeLessThan(
    Math.log(MAX_DEVIATION_RATIO),
  );
}

/** Removes fields and headers that differ for a documented reason. */
function removeDifferences<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !DIFFERENCES.has(name)));
}

/** Reads the names in the first column of the table of requests in docs/coming-from-aiperf.md. */
function readDifferences(): ReadonlySet<string> {
  const page = readFileSync(join(root, 'docs/coming-from-aiperf.md'), 'utf8');
  const [, section] = /^## Requests\n(.*?)^## /ms.exec(page)!;
  const cells = [...section!.matchAll(/^\| ([^|]*`[^|]*) \|/gm)].map(([, cell]) => cell!);
  return new Set(cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)));
}
