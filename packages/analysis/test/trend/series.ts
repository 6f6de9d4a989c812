/** Creates a seeded generator of normally distributed numbers (Box and Muller). */
export function createNormal(seed: number): (mean: number, deviation: number) => number {
  let state = seed;
  const draw = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let i = 0; i < 10; i++) draw();
  return (mean, deviation) =>
    mean + deviation * Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
}

/** Creates a series with a noise of 2%; `level` returns the mean at an index. */
export function createSeries(seed: number, length: number, level: (index: number) => number): number[] {
  const normal = createNormal(seed);
  return Array.from({ length }, (_, i) => normal(level(i), 0.02 * level(i)));
}
