/**
 * A float as Python prints it, and as the seeds show it: always with a fraction or an exponent, so that tools
 * that infer types see a float in every row. Shortest digits that read back to the same double.
 */
export function formatFloat(value: number): string {
  const text = String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}
