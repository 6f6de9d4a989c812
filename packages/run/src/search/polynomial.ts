/** A polynomial, and how well it fits. */
export interface PolynomialFit {
  /** Coefficients, in descending order of power. */
  readonly coefficients: readonly number[];
  /** Coefficient of determination; 0 if all values are equal. */
  readonly rSquared: number;
}

/** Fits a polynomial by least squares; undefined if the points do not determine it. */
export function fitPolynomial(
  points: readonly { readonly x: number; readonly y: number }[],
  degree: number,
): PolynomialFit | undefined {
  if (new Set(points.map(({ x }) => x)).size <= degree) return undefined;
  // Scaling to 1 keeps the powers of long prompts in the range of doubles.
  const scale = Math.max(...points.map(({ x }) => Math.abs(x))) || 1;
  const powers = Array.from({ length: degree + 1 }, (_, index) => degree - index);
  const sum = (read: (point: { x: number; y: number }) => number): number =>
    points.reduce((total, { x, y }) => total + read({ x: x / scale, y }), 0);
  const rows = powers.map(row => [
    ...powers.map(column => sum(({ x }) => x ** (row + column))),
    sum(({ x, y }) => y * x ** row),
  ]);
  const coefficients = solve(rows).map((coefficient, index) => coefficient / scale ** powers[index]!);
  const evaluate = (x: number): number =>
    coefficients.reduce((value, coefficient) => value * x + coefficient, 0);
  const mean = points.reduce((total, { y }) => total + y, 0) / points.length;
  const total = points.reduce((squares, { y }) => squares + (y - mean) ** 2, 0);
  const residual = points.reduce((squares, { x, y }) => squares + (y - evaluate(x)) ** 2, 0);
  return { coefficients, rSquared: total === 0 ? 0 : 1 - residual / total };
}

/** Solves linear equations by Gaussian elimination with pivoting. Each row ends with its right side. */
function solve(rows: number[][]): number[] {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows.reduce(
      (best, row, index) =>
        index >= column && Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? index : best,
      column,
    );
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const factor = row[column]! / rows[column]![column]!;
      rows[index] = row.map((value, at) => value - factor * rows[column]![at]!);
    }
  }
  return rows.map((row, index) => row[size]! / row[index]!);
}
