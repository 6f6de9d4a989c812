import { type Evaluation, evaluate } from '../../src/check/evaluate.ts';
import { parseExpression } from '../../src/check/parseExpression.ts';
import type { Unknown } from '../../src/check/quantity.ts';
import { createRunFromView, type Run } from '../../src/run/run.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createHistogram,
  createMetric,
  downInfo,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';

/** Creates a run with metrics of every type and unit. `latency` is the mean request latency in seconds. */
export function createRuleRun(latency: number): Run {
  return createRunFromView(
    createDocument(
      {
        'vllm:generation_tokens': createMetric('counter', [createCounter(2000)], 'tokens'),
        'vllm:request_success': createMetric(
          'counter',
          ['stop', 'length'].map(reason => createCounter(50, { labels: { finished_reason: reason } })),
          'requests',
        ),
        'vllm:num_preemptions': createMetric('counter', [
          createCounter(0, { stats: { resets: 1, increase: 7 } }),
        ]),
        'vllm:e2e_request_latency_seconds': createMetric(
          'histogram',
          [createHistogram(100, latency, { labels: { model_name: 'x' } })],
          'seconds',
        ),
        'vllm:time_to_first_token_seconds': createMetric('histogram', [createHistogram(0, 1)], 'seconds'),
        'vllm:kv_cache_usage_perc': createMetric('gauge', [createGauge(0.4)], 'ratio'),
        'other:usage_percent': createMetric('gauge', [createGauge(40)], 'percent'),
        'other:memory_bytes': createMetric('gauge', [createGauge(2 ** 30)], 'bytes'),
        'other:latency_ms': createMetric('gauge', [createGauge(250)], 'milliseconds'),
        'other:nothing': createMetric('gauge', [createGauge(3)]),
        'endpoint:b': createMetric('gauge', [createGauge(1), createGauge(3, { url: URL_B })]),
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

/** A rule that cannot be evaluated, the reason, and the start of the rule's text from the offset of the reason. */
export type UnknownCase = readonly [text: string, reason: RegExp, prefix: string];

/**
 * Evaluates a rule whose result is unknown. Returns the reason, and the text of the rule from the offset of the
 * reason.
 */
export function evaluateUnknown(text: string): readonly [reason: string, textFromOffset: string] {
  const { unknown, at } = evaluateRule(text) as Unknown;
  return [unknown, text.slice(at)];
}
