import { type FormulaNode, listNodes, type MetricRole, roles } from '@org/servers';
import { max, mean, median, sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import type { Moment } from './moment.ts';
import type { Replica } from './replica.ts';
import { isKnown, isMissing, type Missing, readRole } from './source.ts';

/** The servers that a formula is evaluated for. */
export interface Scope {
  readonly run: Run;
  /** The server whose roles are read; undefined if the formula may only read roles within functions of replicas. */
  readonly replica: Replica | undefined;
  /** The replicas that functions of replicas combine. */
  readonly replicas: readonly Replica[];
  readonly frontends: readonly Replica[];
}

type Value = number | Missing;

/** Evaluates a formula, or a part of it, at a moment. */
export function evaluate(node: FormulaNode, scope: Scope, moment: Moment): Value {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'constant': {
      const value = scope.run.servers.constants[node.name];
      return (
        value ?? { missing: `needs ${node.name}, which can be set in a file of --servers`, isAbsent: true }
      );
    }
    case 'role':
      return readFrom(scope, node, false, moment);
    case 'binary':
      return calculate(node, evaluate(node.left, scope, moment), evaluate(node.right, scope, moment));
    case 'call':
      return call(node, scope, moment);
  }
}

function readFrom({ run, replica }: Scope, node: RoleNode, isRate: boolean, moment: Moment): Value {
  const request = { role: node.role, where: node.where, isRate };
  if (replica) return readRole(run, replica, request, moment);
  return { missing: `${roles[node.role].name} is not combined over replicas` };
}

type RoleNode = Extract<FormulaNode, { kind: 'role' }>;

function calculate(
  { operator, right: node }: Extract<FormulaNode, { kind: 'binary' }>,
  left: Value,
  right: Value,
): Value {
  if (isMissing(left) && (left.isAbsent || !isMissing(right))) return left;
  if (isMissing(right)) return right;
  if (isMissing(left)) return left;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? { missing: describeZero(node) } : left / right;
  }
}

/** Describes a denominator that is 0. */
export function describeZero(node: FormulaNode): string {
  const names = new Set(
    listNodes(node).flatMap(part =>
      part.kind === 'role' ? roles[part.role].name : part.kind === 'constant' ? part.name : [],
    ),
  );
  return `there is nothing to divide by: ${[...names].join(' and ') || 'the divisor'} is 0`;
}

function call(
  { name, argument }: Extract<FormulaNode, { kind: 'call' }>,
  scope: Scope,
  moment: Moment,
): Value {
  if (name === 'rate') return readFrom(scope, argument as RoleNode, true, moment);
  if (name === 'frontend') return readFrontend(argument as RoleNode, scope, moment);
  const values = scope.replicas.map(replica => evaluate(argument, { ...scope, replica }, moment));
  const known = values.filter(isKnown);
  const needed = name === 'max' || name === 'median' ? 2 : 1;
  if (known.length >= needed) return { sum, mean, max, median }[name](known);
  const reason = values.find(isMissing);
  return reason ?? { missing: 'needs at least two replicas or ranks', isAbsent: true };
}

/** Reads a role of the frontend. Several frontends must agree. */
function readFrontend({ role, where }: RoleNode, { run, frontends }: Scope, moment: Moment): Value {
  const values = frontends
    .map(frontend => readRole(run, frontend, { role, where, isRate: false }, moment))
    .filter(isKnown);
  const [first] = values;
  if (first === undefined)
    return {
      missing: `needs ${roles[role as MetricRole].name} of a frontend, which none exports`,
      isAbsent: true,
    };
  return values.every(value => value === first)
    ? first
    : { missing: `frontends report different values of ${roles[role].name}` };
}
