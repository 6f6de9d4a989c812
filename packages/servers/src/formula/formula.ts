import type { Constant, MetricRole } from '../role.ts';

/** A metric that is computed from the roles of other metrics, such as a hit rate. */
export interface Formula {
  readonly name: string;
  /** The formula, in the language of docs/derived.md. */
  readonly formula: string;
  /** The unit of the result: `ratio`, `factor`, a unit such as `tokens`, or a quotient such as `tokens/steps`. */
  readonly unit: string;
  readonly better?: 'higher' | 'lower' | 'neither';
  /** What the value means, in one or two sentences. */
  readonly meaning: string;
  /** The servers that the formula applies to; all by default. */
  readonly of?: 'engines' | 'frontends';
  /** The value that says nothing, so that summaries omit it. */
  readonly quietAt?: number;
}

/** A formula as a tree. `at` is the offset in the text. */
export type FormulaNode =
  | { readonly kind: 'number'; readonly value: number; readonly unit: string | null; readonly at: number }
  | {
      readonly kind: 'role';
      readonly role: MetricRole;
      readonly where: readonly LabelMatch[];
      readonly at: number;
    }
  | { readonly kind: 'constant'; readonly name: Constant; readonly at: number }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: FormulaNode;
      readonly right: FormulaNode;
      readonly at: number;
    }
  | {
      readonly kind: 'call';
      readonly name: FormulaFunction;
      readonly argument: FormulaNode;
      readonly at: number;
    };

export type Operator = '+' | '-' | '*' | '/';

/** A condition that the label of a series has a value. */
export interface LabelMatch {
  readonly label: string;
  readonly value: string;
}

/**
 * The functions of formulas. `rate` is the increase per second, and `frontend` reads a role of the frontend. The others
 * combine the values of all replicas: endpoints, and ranks of one endpoint.
 */
export const FORMULA_FUNCTIONS = ['rate', 'frontend', 'sum', 'mean', 'max', 'median'] as const;
export type FormulaFunction = (typeof FORMULA_FUNCTIONS)[number];

/** Reports whether a function combines the values of replicas. */
export function isReplicaFunction(name: FormulaFunction): boolean {
  return name !== 'rate' && name !== 'frontend';
}

/** A problem of a formula, and the offset in its text that the problem refers to. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Lists all nodes of a tree, parents first. */
export function listNodes(node: FormulaNode): FormulaNode[] {
  if (node.kind === 'binary') return [node, ...listNodes(node.left), ...listNodes(node.right)];
  return node.kind === 'call' ? [node, ...listNodes(node.argument)] : [node];
}
