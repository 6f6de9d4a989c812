/** Maps values to positions in pixels. */
export interface Scale {
  readonly toPixel: (value: number) => number;
  readonly toValue: (pixel: number) => number;
  readonly domain: readonly [from: number, to: number];
}

/** Creates a scale with equal distances for equal differences. An empty domain is extended by 1. */
export function createLinearScale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  const top = to > from ? to : from + 1;
  return {
    toPixel: value => start + ((value - from) / (top - from)) * (end - start),
    toValue: pixel => from + ((pixel - start) / (end - start)) * (top - from),
    domain: [from, top],
  };
}

/** Creates a scale with equal distances for equal ratios. `from` must be above 0; smaller values are drawn at `from`. */
export function createLogScale(
  [from, to]: readonly [number, number],
  range: readonly [number, number],
): Scale {
  const top = to > from ? to : from * 10;
  const { toPixel, toValue } = createLinearScale([Math.log10(from), Math.log10(top)], range);
  return {
    toPixel: value => toPixel(Math.log10(Math.max(value, from))),
    toValue: pixel => 10 ** toValue(pixel),
    domain: [from, top],
  };
}
