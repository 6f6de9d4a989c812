import { type Comparison, compareRuns, createRunFromView, type Run } from '@org/analysis';
import {
  createCounter,
  createDocument,
  createMetric,
  healthyInfo,
  URL_A,
} from '../../../../packages/analysis/test/documents.ts';

/** Text that terminals, Markdown and HTML must not interpret. */
export const HOSTILE_TEXT = '\u001b[2J<img onerror=x>|`@all';

const TOKENS = 'vllm:generation_tokens';

/** Creates a run from metrics, with one endpoint without problems. */
export function createTestRun(metrics: Parameters<typeof createDocument>[0], name = 'run'): Run {
  return createRunFromView(createDocument(metrics, { [URL_A]: healthyInfo }), name);
}

/**
 * Creates a counter that increases by `rate` per second, with slices that vary by up to 2% without positive
 * autocorrelation.
 */
export function createTokenCounter(rate: number, labels: Readonly<Record<string, string>> = {}): object {
  const deviations = [1, -1, 0.5, -0.5, 1, -1, -0.5, 0.5, 0.2, -0.2];
  return createCounter(20 * rate, {
    slices: deviations.map(deviation => rate * (1 + 0.02 * deviation)),
    labels,
  });
}

/** Creates a run with a counter of generated tokens, with the label `model`. */
export function createModelRun(rate: number, model: string): Run {
  return createTestRun({
    [TOKENS]: createMetric('counter', [createTokenCounter(rate, { model })], 'tokens'),
  });
}

/**
 * Compares two runs with two models each. Run names and labels contain hostile text. The token rate of one model
 * halves; the rate of the other model is unchanged.
 */
export function compareHostileRuns(): Comparison {
  const createRun = (rate: number): Run =>
    createTestRun(
      {
        [TOKENS]: createMetric('counter', [
          createTokenCounter(rate, { model: HOSTILE_TEXT, engine: '0' }),
          createTokenCounter(100, { model: 'b', engine: '0' }),
        ]),
      },
      'a\u001b[31m|b',
    );
  return compareRuns([createRun(1000)], [createRun(500)]);
}

/** Compares two runs whose only difference is the name of the model. */
export function compareRenamedModels(): Comparison {
  return compareRuns([createModelRun(100, 'a')], [createModelRun(100, 'b')]);
}
