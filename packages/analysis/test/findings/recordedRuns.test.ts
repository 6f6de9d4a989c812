import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFindings, openRun } from '../../src/index.ts';

/** Runs of real servers, reduced to the metrics that the rules read; test/files/findings/README.md says how they were made. */
const FOLDER = join(import.meta.dirname, '../files/findings');

/** Findings that say nothing about the servers, but about the recording. */
const OF_THE_RECORDING: ReadonlySet<string> = new Set([
  'wide-percentile-bounds',
  'client-overload',
  'skipped-scrapes',
  'run-without-timeslices',
]);

/** The findings of each run, with a part of their evidence. A healthy run only has notes on its load. */
const RUNS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'vllm-full-batch': { 'full-batch': /^4 running \(the observed limit\) for most of the time, 6\.6/ },
  'vllm-room-in-batch': { 'spare-capacity': /^2\.6 running and 0 waiting/ },
  'vllm-hung-up': {
    'aborted-requests': /^vLLM counted 0 aborted requests; at least 62 more started, but did not end/,
    'spare-capacity': /running/,
  },
  'vllm-not-hung-up': { 'spare-capacity': /running/ },
  'vllm-asleep': { 'sleeping-engine': /^asleep for 37\.5% of profiling/, 'idle-server': /no output/ },
  'vllm-drafts-rejected': { 'useless-speculation': /^0 of 260 draft tokens accepted \(0%\)$/ },
  'vllm-drafts-accepted': { 'spare-capacity': /running/ },
  'vllm-slow-rank': { 'slow-replica': /^62\.08 ms per token .*engine 0 9\.82 ms: 6\.32\d* times as long$/ },
  'vllm-even-ranks': {},
  'dynamo-busy-frontend': { 'frontend-limit': /more than 10 ms late in 67% of the measurements/ },
  'dynamo-slow-worker': {
    'slow-replica': /^17\.17 ms per token .*127\.0\.0\.1:8081 6\.53 ms/,
  },
  'dynamo-even-workers': {},
  'vllm-prompts-evicted': {
    'cache-too-small':
      /^hit rate 0\.536%, possible are 72\.9% .*repeated prompts have 4608 tokens, the KV cache holds 2560; blocks were evicted 202\.9 ms/,
    'prefix-cache-hits': /./,
    'spare-capacity': /running/,
  },
  'vllm-prompts-kept': { 'prefix-cache-hits': /^74\.5%/, 'spare-capacity': /running/ },
  'dynamo-round-robin': {
    'scattered-prompts': /^hit rate 36\.6%, possible are 78\.4% .*; 3 replicas/,
    'prefix-cache-hits': /./,
  },
  'dynamo-kv-router': { 'prefix-cache-hits': /^74\.2%/ },
  'vllm-bursts-of-prompts': {
    'prefill-interference': /^275\.8 ms per token at 32\.19K tokens\/s of prompts, 17\.73 ms at 103;/,
    'server-bottleneck': /waiting/,
    // Some responses of a single token were empty.
    'failed-client-requests': /^5 of 275 requests/,
    'client-server-mismatch': /./,
  },
  'vllm-steady-prompts': {},
};

test.each(Object.entries(RUNS))('%s has these findings and no others', async (name, expected) => {
  const findings = findFindings(await openRun(join(FOLDER, name)));
  const found = findings.filter(({ id }) => !OF_THE_RECORDING.has(id));
  expect(found.map(({ id }) => id).sort()).toEqual(Object.keys(expected).sort());
  for (const { id, evidence } of found) expect(evidence[0]!.text).toMatch(expected[id]!);
});

test('a full batch names the option, and the cost of a larger batch as far as it is known', async () => {
  const findings = findFindings(await openRun(join(FOLDER, 'vllm-full-batch')));
  expect(findings.find(({ id }) => id === 'full-batch')!.advice).toBe(
    'Raise --max-num-seqs, if the inter-token latency permits it: each token takes 8.368 ms at this batch size; how much longer it takes in larger batches is not known from this run.',
  );
});
