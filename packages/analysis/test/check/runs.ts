import { type Evaluation, evaluate } from '../../src/check/evaluate.ts';
import { parseExpression } from '../../src/check/parseExpression.ts';
import type { Unknown } from '../../src/check/quantity.ts';
import { createRunFromView, type Run } from '../../src/run/run.ts';
import {
  counter,
  document,
  downInfo,
  gauge,
  healthyInfo,
  histogram,
  metric,
  URL_A,
  URL_B,
} from '../documents.ts';

/** Creates a run with metrics of every type and unit. `latency` is the mean request latency in seconds. */
export function createRuleRun(latency: number): Run {
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
      { [URL_A]: healthyInfo, [URL_B]: downInfo },
    ),
    'run',
  );
}

/** A run with a mean request latency of 2 s. */
export const run: Run = createRuleRun(2);

/** Evaluates the text of a rule. */
export function evaluateRule(text: string, evaluated: Run = run, baseline?: Run): Evaluation['holds'] {
  return evaluate(parseExpression(text), text, evaluated, baseline).holds;
}

/** A rule that cannot be evaluated, the reason, and the text at the offset that the reason refers to. */
export type UnknownCase = readonly [text: string, reason: RegExp, at: string];

/** Evaluates a rule that cannot be evaluated; returns the reason and the text from the offset of the reason. */
export function evaluateUnknown(text: string): readonly [reason: string, rest: string] {
  const { unknown, at } = evaluateRule(text) as Unknown;
  return [unknown, text.slice(at)];
}
