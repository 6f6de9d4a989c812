import { type FamilyType, type Labels, Layout } from '@org/core';
import { expect, test } from 'vitest';
import { QuiescenceDetector } from '../../src/endpoint/quiescenceDetector.ts';

type Step = readonly (readonly [name: string, type: FamilyType, value: number, labels?: Labels])[];

/** Observes one frame per step, at 0, 1, 2, ... ns. Series that a step does not list are absent from its frame. */
function observeSteps(steps: readonly Step[]): QuiescenceDetector {
  const layout = new Layout();
  const detector = new QuiescenceDetector(layout);
  steps.forEach((step, index) => {
    const values: number[] = [];
    for (const [name, type, value, labels = []] of step) {
      const family = { name, type, help: '' };
      if (type === 'histogram') {
        const series = layout.histogram(family, labels);
        values[series.count] = value;
        values[series.sum] = value;
      } else values[layout.scalar(family, labels).value] = value;
    }
    const frame = Float64Array.from({ length: layout.slotCount }, (_, slot) => values[slot] ?? Number.NaN);
    detector.observe(BigInt(index), frame);
  });
  return detector;
}

test.each<[string, Step[], number, bigint, string[]]>([
  ['is unchanged', [[['a', 'counter', 1]], [['a', 'counter', 1]], [['a', 'counter', 1]]], 2, 0n, []],
  ['moves', [[['a', 'counter', 1]], [['a', 'counter', 1]], [['a', 'counter', 2]]], 0, 2n, ['a']],
  ['changed earlier', [[['a', 'counter', 1]], [['a', 'counter', 2]], [['a', 'counter', 2]]], 1, 1n, ['a']],
  ['falls, as after a restart', [[['a', 'counter', 1]], [['a', 'counter', 0]]], 0, 1n, ['a']],
  ['counts an observation', [[['h', 'histogram', 1]], [['h', 'histogram', 2]]], 0, 1n, ['h']],
  ['is new', [[], [['a', 'counter', 1]]], 0, 1n, ['a']],
  ['is new and has the value 0', [[], [['a', 'counter', 0]]], 1, 0n, []],
  ['is absent once', [[['a', 'counter', 1]], [], [['a', 'counter', 1]]], 2, 0n, []],
  ['is a gauge', [[['a', 'gauge', 1]], [['a', 'gauge', 2]]], 1, 0n, []],
  [
    'describes the process',
    [[['process_cpu_seconds', 'counter', 1]], [['process_cpu_seconds', 'counter', 2]]],
    1,
    0n,
    [],
  ],
  [
    'measures energy',
    [[['nv_energy_consumption', 'counter', 1]], [['nv_energy_consumption', 'counter', 2]]],
    1,
    0n,
    [],
  ],
  [
    'counts scrapes',
    [
      [['http_requests', 'counter', 1, [['handler', '/metrics']]]],
      [['http_requests', 'counter', 2, [['handler', '/metrics']]]],
    ],
    1,
    0n,
    [],
  ],
  [
    'counts requests',
    [
      [['http_requests', 'counter', 1, [['handler', '/v1/completions']]]],
      [['http_requests', 'counter', 2, [['handler', '/v1/completions']]]],
    ],
    0,
    1n,
    ['http_requests'],
  ],
])(
  'detects whether a frame changed if a series %s',
  (_name, steps, unchangedFrames, unchangedSinceNs, changing) => {
    expect(observeSteps(steps)).toMatchObject({ unchangedFrames, unchangedSinceNs, changing });
  },
);
