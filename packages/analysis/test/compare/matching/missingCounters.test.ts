import { expect, test } from 'vitest';
import type { Run } from '../../../src/index.ts';
import { compareRuns } from '../../../src/index.ts';
import { createCounter, createMetric } from '../../documents.ts';
import { createTestRun, createTokens } from '../runs.ts';

const createRun = (errors: object[], name = 'dynamo_frontend_tokens'): Run =>
  createTestRun({
    [name]: createMetric('counter', [createTokens(1000)]),
    dynamo_frontend_errors: createMetric('counter', errors),
  });

const created = createCounter(85, {
  stats: { increase: 86, increase_rate: 4.3, created_in_run: true },
});

test.each<[string, Run, Run, object | undefined]>([
  [
    'that the new server created at its first event',
    createRun([]),
    createRun([created]),
    { base: 0, new: 4.3, verdict: 'worse' },
  ],
  [
    'that the base server created at its first event',
    createRun([created]),
    createRun([]),
    { verdict: 'better' },
  ],
  ['that existed before the run', createRun([]), createRun([createCounter(86)]), undefined],
  [
    'of a server that the base does not have',
    createTestRun({ other: createMetric('counter', []) }),
    createRun([created]),
    undefined,
  ],
])('compares a missing counter %s', (_, base, other, expected) => {
  const row = compareRuns([base], [other]).rows.find(({ name }) => name === 'dynamo_frontend_errors');
  if (expected === undefined) expect(row).toBeUndefined();
  else expect(row).toMatchObject({ test: 'events', ...expected });
});
