import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/check/evaluate.ts';
import { ExpressionError } from '../../src/check/expression.ts';
import { parseExpression } from '../../src/check/parseExpression.ts';
import { createRun, createRunFromView, type Run } from '../../src/run/run.ts';
import {
  counter,
  document,
  downInfo,
  gauge,
  histogram,
  metric,
  URL_A,
  URL_B,
  wellInfo,
} from '../documents.ts';

function make(latency: number): Run {
  return createRunFromView(
    document(
      {
        'vllm:generation_tokens': metric('counter', [counter(2000)], 'tokens'),
        'vllm:request_success': metric(
          'counter',
          ['stop', 'length'].map(reason => counter(50, { labels: { finished_reason: reason } })),
          'requests',
        ),
        'vllm:num_preemptions': metric('counter', [counter(0, { stats: { resets: 1, increase: 7 } })]),
        'vllm:e2e_request_latency_seconds': metric(
          'histogram',
          [histogram(100, latency, { labels: { model_name: 'x' } })],
          'seconds',
        ),
        'vllm:time_to_first_token_seconds': metric('histogram', [histogram(0, 1)], 'seconds'),
        'vllm:kv_cache_usage_perc': metric('gauge', [gauge(0.4)], 'ratio'),
        'other:usage_percent': metric('gauge', [gauge(40)], 'percent'),
        'other:memory_bytes': metric('gauge', [gauge(2 ** 30)], 'bytes'),
        'other:latency_ms': metric('gauge', [gauge(250)], 'milliseconds'),
        'other:nothing': metric('gauge', [gauge(3)]),
        'endpoint:b': metric('gauge', [gauge(1), gauge(3, { url: URL_B })]),
      },
      { [URL_A]: wellInfo, [URL_B]: downInfo },
    ),
    'run',
  );
}

const run = make(2);
const holds = (text: string, of: Run = run, baseline?: Run): unknown =>
  evaluate(parseExpression(text), text, of, baseline).holds;

test.each<[string, boolean]>([
  ['vllm:e2e_request_latency_seconds{model_name="x"}.p99_estimate < 8', true],
  ['vllm:e2e_request_latency_seconds.p99_estimate < 5s', false],
  ['vllm:e2e_request_latency_seconds.avg == 2000ms', true],
  ['vllm:e2e_request_latency_seconds.avg * 2 <= 4000ms', true],
  ['2s >= vllm:e2e_request_latency_seconds.avg', true],
  ['other:latency_ms.avg < 0.3s', true],
  ['other:latency_ms.avg < vllm:e2e_request_latency_seconds.avg', true],
  ['vllm:e2e_request_latency_seconds.avg / other:latency_ms.avg == 8', true],
  ['vllm:e2e_request_latency_seconds.avg - other:latency_ms.avg == 1.75', true],
  ['increase(vllm:num_preemptions) == 7', true],
  ['vllm:num_preemptions.total == 0', true],
  ['increase(vllm:e2e_request_latency_seconds) == 100', true],
  ['present(vllm:generation_tokens)', true],
  ['present(vllm:generation_tokens.rate)', true],
  ['present(vllm:generation_tokens.p99)', false],
  ['absent(vllm:nothing)', true],
  ['present(vllm:request_success{finished_reason="abort"})', false],
  ['sum(vllm:request_success.total) == 100', true],
  ['max(vllm:request_success.total) == 50', true],
  ['avg(endpoint:b.avg) == 2 and min(endpoint:b.avg) == 1', true],
  ['sum(increase(vllm:request_success)) == 100', true],
  ['count(vllm:request_success) == 2', true],
  ['count(nope) == 0', true],
  ['vllm:request_success{finished_reason=~"st.*"}.total == 50', true],
  ['vllm:request_success{finished_reason!~"st.*"}.total == 50', true],
  ['vllm:request_success{finished_reason!="stop"}.total == 50', true],
  ['vllm:request_success{finished_reason=~"st"}.total == 50 or true_is_not_a_word.avg > 1 or 1 == 1', true],
  ['endpoint:b{endpoint_url="down:1"}.avg == 3', true],
  ['endpoint:b{endpoint_url=~"http://local.*"}.avg == 1', true],
  ['endpoints.successful == endpoints.configured', false],
  ['endpoints.configured == 2 and endpoints.without_data == 1', true],
  ['scrapes.failed == 7 and scrapes.late == 0', true],
  ['run.profiling_seconds == 20s and run.series > 5', true],
  ['findings.problems >= 1', true],
  ['vllm:kv_cache_usage_perc.max < 90%', true],
  ['vllm:kv_cache_usage_perc.avg == 0.4', true],
  ['other:usage_percent.avg == 40%', true],
  ['other:usage_percent.avg == 40', true],
  ['other:memory_bytes.avg == 1GiB', true],
  ['other:memory_bytes.avg > 1GB', true],
  ['abs(-3) == 3 and -(2 - 5) == 3', true],
  ['1 + 2 * 3 == 7 and (1 + 2) * 3 == 9 and 10 - 3 - 2 == 5', true],
  ['1 == 2 or not 1 == 2', true],
  // False, whatever is missing.
  ['1 == 2 and nope.avg > 1', false],
])('%s: %s', (text, expected) => {
  expect(holds(text)).toBe(expected);
});

test.each<[string, RegExp, string]>([
  ['nope.avg < 5', /no metric nope/, 'nope'],
  ['not nope.avg < 5', /no metric nope/, 'nope'],
  ['nope.avg < 5 or 1 == 2', /no metric nope/, 'nope'],
  ['vllm:num_preemptions_total.total == 0', /exported without _total: vllm:num_preemptions/, 'vllm'],
  ['e2e_request_latency_seconds.avg < 1', /did you mean vllm:e2e_request_latency_seconds/, 'e2e'],
  ['increase(nope) == 0', /no metric nope/, 'nope'],
  ['increase(other:nothing) == 0', /is a gauge; increase\(\) takes counters and histograms/, 'other'],
  ['vllm:generation_tokens.p99 < 1', /has no p99; it has total, rate/, 'vllm'],
  ['vllm:generation_tokens < 1', /choose one of total, rate/, 'vllm'],
  ['vllm:time_to_first_token_seconds.p99_estimate < 1', /it has no observations in the run/, 'vllm'],
  [
    'vllm:request_success.total > 1',
    /2 series of .*finished_reason="stop".*aggregate with sum\(\), avg\(\), min\(\) or max\(\)/,
    'vllm',
  ],
  [
    'vllm:request_success{finished_reason="x"}.total > 1',
    /with these labels; existing series: .*finished_reason="stop"/,
    'vllm',
  ],
  ['a.avg < baseline', /no metric a/, 'a.avg'],
  ['vllm:generation_tokens.rate > baseline', /no baseline; name one with --baseline/, 'baseline'],
  [
    'endpoints.nope == 1',
    /endpoints has no such value; expected one of configured, successful, without_data/,
    'endpoints',
  ],
  ['run.interrupted == 0', /run\.interrupted is not in the files/, 'run'],
  ['other:nothing.avg < 5s', /cannot combine a value without a unit with a time/, '<'],
  ['vllm:e2e_request_latency_seconds.avg < 1MiB', /cannot combine a time with a size/, '<'],
  ['1 / 0 > 1', /division by 0/, '/'],
  ['constructor.avg > 1', /no metric constructor/, 'constructor'],
  ['vllm:generation_tokens.constructor > 1', /has no constructor/, 'vllm'],
])('cannot evaluate %s', (text, why, at) => {
  const found = holds(text) as { unknown: string; at: number };
  expect(found.unknown).toMatch(why);
  expect(text.slice(found.at)).toMatch(new RegExp(`^${at}`));
});

describe('with a baseline', () => {
  const before = make(1);

  test.each<[string, boolean]>([
    ['vllm:e2e_request_latency_seconds.avg < baseline * 1.05', false],
    ['vllm:e2e_request_latency_seconds.avg <= baseline * 2', true],
    ['baseline < vllm:e2e_request_latency_seconds.avg', true],
    ['vllm:e2e_request_latency_seconds.avg - baseline(vllm:e2e_request_latency_seconds.avg) == 1s', true],
    ['sum(vllm:request_success.total) >= baseline', true],
    ['increase(vllm:num_preemptions) <= baseline', true],
  ])('%s: %s', (text, expected) => {
    expect(holds(text, run, before)).toBe(expected);
  });

  test('cannot evaluate a metric that the baseline lacks', () => {
    const empty = createRunFromView(document({}));
    expect(holds('vllm:generation_tokens.rate > baseline', run, empty)).toMatchObject({
      unknown: expect.stringMatching(/^in the baseline: no metric/),
    });
  });
});

test('records the comparisons that decided', () => {
  const text = 'vllm:e2e_request_latency_seconds.avg < 1500ms and 1 == 1';
  expect(evaluate(parseExpression(text), text, run).comparisons).toEqual(['2 < 1.5 seconds', '1 == 1']);
});

test('cannot count endpoints if the file does not list them', () => {
  const csv = createRun({
    name: 'a',
    layout: 'csv',
    files: {},
    view: { schema_version: '1.0', metrics: {} },
  });
  expect(holds('endpoints.successful == endpoints.configured', csv)).toMatchObject({
    unknown: expect.stringMatching(/is not in the files/),
  });
});

test('throws for an invalid regular expression', () => {
  expect(() => holds('vllm:request_success{finished_reason=~"("}.total > 1')).toThrow(ExpressionError);
});
