import type { Formula } from './formula/formula.ts';
import type { Constants, ReconciliationMetrics, ServerDefinition } from './serverDefinition.ts';

/** A definition as in its file: the names of fields are in snake case. */
export type DefinitionFile = Readonly<Record<string, unknown>> & { readonly name: string };

/** A formula as in its file. */
export type FormulaFile = Readonly<Record<string, unknown>> & Pick<Formula, 'name'>;

/** Converts a valid formula of a file. */
export function toFormula(file: FormulaFile): Formula {
  return renameFields(file) as Formula;
}

/** The fields that every file has. */
type RequiredField = 'name' | 'recognize';

const NOT_RECONCILED: ReconciliationMetrics = {
  requests: [],
  unfinished: [],
  promptTokens: [],
  generationTokens: [],
  latency: [],
  firstToken: [],
  interToken: [],
  queue: [],
  running: [],
};

/** Converts the contents of a valid file to a definition. */
export function toDefinition(file: DefinitionFile): ServerDefinition {
  const { metrics, constants, ...fields } = file;
  const definition = renameFields(fields) as Partial<ServerDefinition> &
    Pick<ServerDefinition, RequiredField>;
  return {
    ...definition,
    kind: definition.kind ?? 'engine',
    keyMetrics: definition.keyMetrics ?? [],
    roles: definition.roles ?? {},
    failures: definition.failures ?? [],
    reconciliation: { ...NOT_RECONCILED, ...definition.reconciliation },
    // The fields of these mappings are names.
    ...(constants === undefined ? {} : { constants: constants as Constants }),
    ...(metrics === undefined ? {} : { metrics: metrics as NonNullable<ServerDefinition['metrics']> }),
  };
}

function renameFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [toCamelCase(name), renameFields(item)]),
  );
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
