import {
  type CompareOptions,
  type ComparisonRow,
  compareRuns,
  createRun,
  createRunFromView,
  type Run,
} from '../../src/index.ts';
import { createCounter, createDocument, createMetric, healthyInfo, URL_A } from '../documents.ts';

export type Metrics = Parameters<typeof createDocument>[0];

/** Creates a run of 20 s with these metrics, from endpoints without problems. */
export function createTestRun(metrics: Metrics, urls: readonly string[] = [URL_A], name = 'run'): Run {
  return createRunFromView(
    createDocument(metrics, Object.fromEntries(urls.map(url => [url, healthyInfo]))),
    name,
  );
}

/** Returns ten slice values that deviate from a mean by up to a fraction of the mean, without autocorrelation. */
export function varySlices(mean: number, fraction = 0.02): number[] {
  return [1, -1, 0.5, -0.5, 1, -1, -0.5, 0.5, 0.2, -0.2].map(part => mean * (1 + fraction * part));
}

/** Creates a counter of tokens with a mean rate per second. */
export function createTokens(rate: number, options: object = {}): object {
  return createCounter(20 * rate, { slices: varySlices(rate), ...options });
}

/** Creates a run whose only metric is a counter of tokens. */
export function createTokenRun(rate: number, options: object = {}): Run {
  return createTestRun({
    'vllm:generation_tokens': createMetric('counter', [createTokens(rate, options)], 'tokens'),
  });
}

/** Compares two runs and returns the rows. */
export function compareRows(base: Run, other: Run, options: CompareOptions = {}): readonly ComparisonRow[] {
  return compareRuns([base], [other], options).rows;
}

/** Creates a run that has only client metrics, with these timeslices. */
export function createClientRun(
  metrics: Readonly<Record<string, object>>,
  timeslices: readonly object[] = [],
): Run {
  return createRun({
    name: 'run',
    layout: 'none',
    files: {},
    view: { schema_version: '1.0', metrics: {} },
    clientMetrics: new Map(Object.entries(metrics)) as never,
    clientTimeslices: {
      timeslices: timeslices.map((slice, i) => ({ timeslice_index: i, ...slice })),
      input_config: {},
    } as never,
  });
}
