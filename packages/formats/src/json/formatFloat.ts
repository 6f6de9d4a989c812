/**
 * Formats a float as Python does: always with a fraction or an exponent, so that tools that infer types see a float in every
 * row. Uses the shortest digits that parse to the same double.
 */
export function formatFloat(value: number): string {
  const text = String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}
