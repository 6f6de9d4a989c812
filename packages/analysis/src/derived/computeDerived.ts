import {
  type Formula,
  type FormulaNode,
  isForwarder,
  isQuotientUnit,
  isReplicaFunction,
  listNodes,
  parseFormula,
  type ServerDefinition,
} from '@org/servers';
import { sum } from '../math.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { describeZero, evaluate, type Scope } from './evaluate.ts';
import { isAmount, type Moment } from './moment.ts';
import { findReplicaGroups, type Replica, type ReplicaGroup } from './replica.ts';
import { isKnown, isMissing, type Missing } from './source.ts';

/** The value of a derived metric on an endpoint, or of all endpoints with comparable servers. */
export interface DerivedValue {
  readonly name: string;
  readonly unit: string;
  readonly formula: Formula;
  /** Name of the kind of server. */
  readonly server: string;
  /** Short name of the endpoint; null for the value of all endpoints together. */
  readonly endpoint: string | null;
  /** The server, and the component of its workers. */
  readonly labels: Readonly<Record<string, string>>;
  /** The value over the profiling period; undefined if it is unknown. */
  readonly value: number | undefined;
  /** The reason why the value is unknown, as a sentence without a period. */
  readonly missing?: string;
  /** True if the server exports at least one of the metrics that the formula reads. */
  readonly hasMetrics: boolean;
  /**
   * True if the value is computed only from counters of one endpoint, which are scraped at one time. Gauges are sampled,
   * and endpoints are scraped at different times.
   */
  readonly isExact: boolean;
  /** The values over time; empty if the run was exported without timeslices. */
  readonly slices: readonly DerivedSlice[];
}

/** The value of a derived metric in a timeslice. */
export interface DerivedSlice {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly isComplete: boolean;
  readonly value: number;
  /** The divisor of a quotient, which is the weight of the slice. */
  readonly weight?: number;
}

/**
 * Computes the derived metrics of a run: one value per formula and endpoint, and one for all endpoints with comparable
 * servers. Quotients of several endpoints are the sum of the dividends divided by the sum of the divisors.
 */
export function computeDerived(run: Run): DerivedValue[] {
  const groups = findReplicaGroups(run);
  const frontends = groups.flatMap(({ definition, replicas }) => (isForwarder(definition) ? replicas : []));
  return run.servers.formulas.flatMap(formula => {
    const alternatives = parseFormula(formula.formula);
    return groups
      .filter(({ definition }) => isFor(formula, definition))
      .flatMap(group => computeGroup(formula, alternatives, group, { run, frontends }));
  });
}

function isFor({ of }: Formula, definition: ServerDefinition): boolean {
  if (of === undefined) return true;
  return of === 'frontends' ? isForwarder(definition) : definition.kind === 'engine';
}

/** The data of a run that all scopes share. */
type Shared = Pick<Scope, 'run' | 'frontends'>;

function computeGroup(
  formula: Formula,
  alternatives: readonly FormulaNode[],
  { definition, component, replicas }: ReplicaGroup,
  shared: Shared,
): DerivedValue[] {
  const create = (endpoint: string | null, scopes: readonly Scope[]): DerivedValue => {
    const chosen = chooseAlternative(alternatives, scopes, formula);
    const { value, missing } = chosen.outcome;
    return {
      ...{ name: formula.name, unit: formula.unit, formula, server: definition.name, endpoint },
      labels: {
        server: definition.name,
        ...(endpoint === null && component !== undefined && { component }),
      },
      value,
      ...(missing !== undefined && { missing }),
      hasMetrics: scopes.some(scope => alternatives.some(node => listUsedSeries(node, scope).length > 0)),
      isExact: endpoint !== null && isExact(chosen.node, replicas[0]!),
      slices: value === undefined ? [] : computeSlices(chosen.node, scopes, formula),
    };
  };
  const ofEndpoint = replicas.map(replica =>
    create(replica.endpoint, [{ ...shared, replica, replicas: replica.ranks }]),
  );
  if (replicas.length < 2) return ofEndpoint;
  const all = replicas.flatMap(({ ranks }) => ranks);
  const scopes = combinesReplicas(alternatives[0]!)
    ? [{ ...shared, replica: undefined, replicas: all }]
    : replicas.map(replica => ({ ...shared, replica, replicas: replica.ranks }));
  return [...ofEndpoint, create(null, scopes)];
}

function combinesReplicas(node: FormulaNode): boolean {
  return listNodes(node).some(part => part.kind === 'call' && isReplicaFunction(part.name));
}

/** A value, or the reason why it is unknown. */
interface Outcome {
  readonly value: number | undefined;
  readonly missing?: string | undefined;
  readonly weight?: number | undefined;
  readonly isAbsent?: boolean;
}

/** Chooses the first alternative whose metrics exist; without one, the first. */
function chooseAlternative(
  alternatives: readonly FormulaNode[],
  scopes: readonly Scope[],
  formula: Formula,
): { readonly node: FormulaNode; readonly outcome: Outcome } {
  const tried = alternatives.map(node => ({ node, outcome: combine(node, scopes, formula, 'period') }));
  return tried.find(({ outcome }) => !outcome.isAbsent) ?? tried[0]!;
}

/** Evaluates a formula for several servers together: the dividends and the divisors are added. */
function combine(node: FormulaNode, scopes: readonly Scope[], { unit }: Formula, moment: Moment): Outcome {
  const [dividend, divisor] = splitQuotient(node);
  const pairs = scopes.map(
    scope => [evaluate(dividend, scope, moment), divisor ? evaluate(divisor, scope, moment) : 1] as const,
  );
  const known = pairs.filter((pair): pair is readonly [number, number] => pair.every(isKnown));
  if (known.length === 0) return toOutcome(pairs.flat().find(isMissing)!);
  if (!divisor && known.length > 1 && isQuotientUnit(unit))
    return toOutcome({ missing: 'shares and quotients of several endpoints are not combined' });
  const weight = sum(known.map(([, value]) => value));
  if (!divisor) return { value: sum(known.map(([value]) => value)) };
  if (weight === 0) return toOutcome({ missing: describeZero(divisor) });
  return { value: sum(known.map(([value]) => value)) / weight, weight };
}

function toOutcome({ missing, isAbsent }: Missing): Outcome {
  return { value: undefined, missing, isAbsent: isAbsent === true };
}

/** Splits a formula into its dividend and its divisor, if it has one. */
function splitQuotient(node: FormulaNode): readonly [FormulaNode, FormulaNode?] {
  return node.kind === 'binary' && node.operator === '/' ? [node.left, node.right] : [node];
}

/** Reports whether a formula reads only counters and histograms, of the endpoint itself. */
function isExact(node: FormulaNode, { definition }: Replica): boolean {
  return listNodes(node).every(part => {
    if (part.kind === 'call') return part.name !== 'frontend';
    if (part.kind !== 'role') return true;
    const metric = definition.roles[part.role];
    return metric !== undefined && (isAmount(metric.operation) || metric.valueLabel !== undefined);
  });
}

function computeSlices(node: FormulaNode, scopes: readonly Scope[], formula: Formula): DerivedSlice[] {
  const times = new Map(
    scopes
      .flatMap(scope => listUsedSeries(node, scope))
      .flatMap(({ slices }) => slices.map(slice => [slice.start_ns, slice] as const)),
  );
  return [...times.values()]
    .sort((a, b) => (a.start_ns < b.start_ns ? -1 : 1))
    .flatMap(({ start_ns: startNs, end_ns: endNs, is_complete }) => {
      const { value, weight } = combine(node, scopes, formula, { startNs });
      if (value === undefined) return [];
      const isComplete = is_complete !== false;
      return [{ startNs, endNs, isComplete, value, ...(weight !== undefined && { weight }) }];
    });
}

/** Lists the series that a formula reads. */
function listUsedSeries(node: FormulaNode, { replica, replicas }: Scope): RunSeries[] {
  const used = listNodes(node).flatMap(part => (part.kind === 'role' ? part.role : []));
  return (replica ? [replica] : replicas).flatMap(({ series }) => used.flatMap(series));
}
