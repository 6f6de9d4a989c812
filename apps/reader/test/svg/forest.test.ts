import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawDotRow } from '../../src/svg/dotRow.ts';
import {
  createEffectScale,
  drawEffect,
  drawEffectAxis,
  drawForest,
  EFFECT_SIZE,
  EFFECT_STYLES,
  type Effect,
  type EffectVerdict,
  measureForest,
} from '../../src/svg/forest.ts';
import { findOutside, findOverlaps, listNumbers } from '../support/drawings.ts';

const effect = fc.record({
  name: fc.string({ minLength: 1, maxLength: 30 }),
  verdict: fc.constantFrom(...(Object.keys(EFFECT_STYLES) as EffectVerdict[])),
  change: fc.option(fc.double({ min: -3, max: 1e4, noNaN: true })),
  noise: fc.option(fc.double({ min: 0, max: 1e3, noNaN: true })),
  text: fc.constant('worse +12%'),
});

function createEffect(change: number | null, noise: number | null, verdict: EffectVerdict): Effect {
  return { name: 'a', verdict, change, noise, text: '' };
}

describe('effects', () => {
  test('have only finite numbers, and labels inside the drawing that do not overlap', () => {
    fc.assert(
      fc.property(fc.array(effect, { minLength: 1, maxLength: 8 }), effects => {
        const { width, height } = measureForest(effects);
        const svg = drawForest('Effects', effects, 0.01);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        const axis = drawEffectAxis(createEffectScale(effects));
        expect(findOverlaps(axis)).toEqual([]);
        expect(findOutside(axis, EFFECT_SIZE.width, 18)).toEqual([]);
        expect(listNumbers(`${width} ${height}`).every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test.each<readonly [string, Effect, boolean, boolean]>([
    ['an interval inside', createEffect(0.4, 0.1, 'worse'), false, false],
    ['an upper end outside', createEffect(20, 5, 'worse'), false, true],
    ['a lower end below -100%', createEffect(-0.5, 0.8, 'no evidence'), true, false],
  ])('end with a caret only outside of the axis: %s', (_, each, low, high) => {
    const svg = drawEffect(each, createEffectScale([each, createEffect(1, 0, 'worse')]), 0.01);
    expect([svg.includes('l-6 4l6 4'), svg.includes('l6 4l-6 4')]).toEqual([low, high]);
  });

  test('have a line only if the interval is known', () => {
    const scale = createEffectScale([createEffect(0.4, 0.1, 'worse')]);
    const count = (each: Effect): number => drawEffect(each, scale, 0.01).split('class="line').length - 1;
    expect(count(createEffect(0.4, 0.1, 'worse'))).toBe(1);
    expect(count(createEffect(0.4, null, 'worse'))).toBe(0);
  });

  test('have marks that differ in shape, so that colors are not needed', () => {
    const shapes = Object.values(EFFECT_STYLES).map(({ shape }) => shape);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('have the axis of all changes, but not of intervals without evidence', () => {
    const scale = createEffectScale([createEffect(0.5, 0.1, 'worse'), createEffect(0.1, 9, 'no evidence')]);
    expect(scale.domain[1]).toBeCloseTo(1.6 * 1.1);
  });
});

test('a row of dots has a dot for each value, also if all values are equal', () => {
  const svg = drawDotRow('a', [
    { color: 'grey', values: [1, 1, 1] },
    { color: 'client', values: [1] },
  ]);
  expect(svg).not.toMatch(/NaN|Infinity/);
  expect(svg.match(/h0/g)).toHaveLength(4);
});
