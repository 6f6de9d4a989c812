import { constants, roles } from '../generated/roles.ts';
import { FormulaError, type FormulaNode } from './formula.ts';

/** Exponents by unit, without units whose exponent is 0: tokens per step is `{ tokens: 1, steps: -1 }`. */
type Dimension = Readonly<Record<string, number>>;

/**
 * Checks that the alternatives of a formula have its unit.
 *
 * @throws FormulaError if units do not match
 */
export function checkUnits(alternatives: readonly FormulaNode[], unit: string): void {
  for (const node of alternatives) {
    const found = findDimension(node);
    if (found !== 'any' && !areEqual(found, parseUnit(unit)))
      throw new FormulaError(`the result is in ${formatUnit(found)}, but its unit is ${unit}`, node.at);
  }
}

/** Finds the unit of a node. A number without a unit takes the unit of the value that it is added to. */
function findDimension(node: FormulaNode): Dimension | 'any' {
  switch (node.kind) {
    case 'number':
      return node.unit === null ? 'any' : parseUnit(node.unit);
    case 'role':
      return parseUnit(roles[node.role].unit);
    case 'constant':
      return parseUnit(constants[node.name].unit);
    case 'call': {
      const argument = findDimension(node.argument);
      return node.name === 'rate' ? multiply(argument, { seconds: 1 }, -1) : argument;
    }
    case 'binary':
      return combine(node);
  }
}

function combine({ operator, left, right, at }: Extract<FormulaNode, { kind: 'binary' }>): Dimension | 'any' {
  const [a, b] = [findDimension(left), findDimension(right)];
  if (operator === '*' || operator === '/')
    return a === 'any' && b === 'any' ? 'any' : multiply(a, b, operator === '*' ? 1 : -1);
  if (a === 'any' || b === 'any') return a === 'any' ? b : a;
  if (areEqual(a, b)) return a;
  const words = operator === '+' ? ['add', 'to'] : ['subtract', 'from'];
  throw new FormulaError(`cannot ${words[0]} ${formatUnit(b)} ${words[1]} ${formatUnit(a)}`, at);
}

function multiply(a: Dimension | 'any', b: Dimension | 'any', sign: 1 | -1): Dimension {
  const product: Record<string, number> = a === 'any' ? {} : { ...a };
  for (const [unit, exponent] of Object.entries(b === 'any' ? {} : b))
    product[unit] = (product[unit] ?? 0) + sign * exponent;
  return Object.fromEntries(Object.entries(product).filter(([, exponent]) => exponent !== 0));
}

/** Parses a unit such as `ratio`, `tokens` or `tokens/steps`. */
export function parseUnit(text: string): Dimension {
  const [first = '', ...others] = text.split('/').map(part => part.trim());
  return others.reduce<Dimension>(
    (unit, other) => multiply(unit, toDimension(other), -1),
    toDimension(first),
  );
}

/** The units of quotients of two values with the same unit. */
const DIMENSIONLESS: readonly string[] = ['ratio', 'factor', ''];

function toDimension(name: string): Dimension {
  return DIMENSIONLESS.includes(name) ? {} : { [name]: 1 };
}

/** Reports whether values of a unit are shares or quotients, so that their sum has no meaning. */
export function isQuotientUnit(unit: string): boolean {
  const exponents = Object.entries(parseUnit(unit)).filter(([name]) => name !== 'seconds');
  return !exponents.some(([, exponent]) => exponent > 0) || exponents.some(([, exponent]) => exponent < 0);
}

function areEqual(a: Dimension, b: Dimension): boolean {
  return Object.keys(multiply(a, b, -1)).length === 0;
}

function formatUnit(dimension: Dimension): string {
  const list = (sign: 1 | -1): string[] =>
    Object.entries(dimension).flatMap(([unit, exponent]) =>
      new Array<string>(Math.max(0, sign * exponent)).fill(unit),
    );
  const [above, below] = [list(1), list(-1)];
  if (above.length === 0 && below.length === 0) return 'a ratio';
  return [above.join(' * ') || '1', ...below].join('/');
}
