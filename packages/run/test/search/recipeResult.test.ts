import type { ProfileSweep } from '@org/formats';
import { expect, test } from 'vitest';
import { deriveRecipeFile, type RecipeResult } from '../../src/search/recipeResult.ts';

interface Fit {
  readonly fit_form: string;
  readonly coefficients: readonly number[];
  readonly below_floor: boolean;
}

/** Creates a sweep from rows of parameters and statistics such as `request_latency_p99`. */
function createSweep(
  rows: readonly (readonly [parameters: object, values: Record<string, number>])[],
): ProfileSweep {
  return {
    per_combination_metrics: rows.map(([parameters, values]) => ({
      parameters,
      metrics: Object.fromEntries(Object.entries(values).map(([name, mean]) => [name, { mean }])),
    })),
  } as unknown as ProfileSweep;
}

function derive(result: RecipeResult, rows: Parameters<typeof createSweep>[0]): unknown {
  return deriveRecipeFile(result, createSweep(rows)).content;
}

test('the knee is the first concurrency above the threshold', () => {
  const rows = [1, 10, 100].map(
    (concurrency, index) => [{ concurrency }, { request_latency_p99: 100 + 15 * index }] as const,
  );
  const result = {
    kind: 'degradation_knee',
    threshold: 0.2,
    metric: 'request_latency',
    stat: 'p99',
  } as const;
  expect(derive(result, rows)).toMatchObject({
    baseline_concurrency: 1,
    baseline_p99: 100,
    knee_concurrency: 100,
    knee_p99: 130,
    threshold_pct: 0.2,
  });
  expect(derive({ ...result, threshold: 0.5 }, rows)).toMatchObject({
    knee_concurrency: null,
    knee_p99: null,
  });
});

test('the prefill curve is a line, or a parabola where a line fits badly', () => {
  const create = (compute: (isl: number) => number) =>
    [256, 1024, 4096, 16384].map(isl => [{ isl }, { time_to_first_token_avg: compute(isl) }] as const);
  const line = derive(
    { kind: 'prefill_curve' },
    create(isl => 0.05 * isl + 20),
  ) as Fit;
  expect(line.fit_form).toBe('linear');
  expect(line.coefficients[0]).toBeCloseTo(0.05, 9);
  expect(line.coefficients[1]).toBeCloseTo(20, 6);
  expect(line.below_floor).toBe(false);
  const bent = derive(
    { kind: 'prefill_curve' },
    create(isl => (isl - 8000) ** 2),
  ) as Fit;
  expect(bent).toMatchObject({ fit_form: 'quadratic', below_floor: false });
  expect(bent.coefficients[0]).toBeCloseTo(1, 6);
});

test('a curve without two points reports the reason', () => {
  expect(derive({ kind: 'prefill_curve' }, [[{ isl: 9 }, { time_to_first_token_avg: 1 }]])).toMatchObject({
    below_floor: true,
    error_reason: '1 of at least 2 prompt lengths were measured',
  });
});

test('the surface has null where no run was measured', () => {
  const rows = [
    [{ concurrency: 1, osl: 64 }, { inter_token_latency_avg: 10 }],
    [{ concurrency: 4, osl: 64 }, { inter_token_latency_avg: 12 }],
    [{ concurrency: 4, osl: 256 }, { inter_token_latency_avg: 13 }],
  ] as const;
  expect(derive({ kind: 'decode_itl_surface' }, rows)).toMatchObject({
    surface: {
      concurrency_axis: [1, 4],
      osl_axis: [64, 256],
      itl_grid: [
        [10, null],
        [12, 13],
      ],
    },
    surface_fit_failed: false,
  });
});

test('a variation that another one beats in both metrics is not Pareto-optimal', () => {
  const create = (concurrency: number, ttft: number, throughput: number) =>
    [
      { isl: 5, osl: 2, concurrency },
      { time_to_first_token_p95: ttft, output_token_throughput_avg: throughput },
    ] as const;
  const { cells } = derive({ kind: 'pareto_sweep' }, [
    create(1, 10, 50),
    create(4, 30, 90),
    create(9, 40, 80),
  ]) as { readonly cells: readonly { readonly pareto_optimal: boolean }[] };
  expect(cells.map(cell => cell.pareto_optimal)).toEqual([true, true, false]);
});

test('a grid with limits reports the highest concurrency within them, and what the next one exceeds', () => {
  const filter = { metric_tag: 'request_latency', stat: 'p99', op: 'lt', threshold: 100 } as const;
  const rows = [
    [1, 50],
    [8, 90],
    [64, 200],
  ].map(([concurrency, p99]) => [{ concurrency }, { request_latency_p99: p99! }] as const);
  expect(derive({ kind: 'sla_breach', filters: [filter] }, rows)).toMatchObject({
    max_passing_concurrency: 8,
    first_failing_concurrency: 64,
    first_failing_breach: { ...filter, observed: 200 },
    monotonicity_check: true,
  });
});
