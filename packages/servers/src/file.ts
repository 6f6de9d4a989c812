/** Definitions of servers that users write. Kept separate, because reading YAML needs large packages. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '@org/terminal';
import { findSchemaProblems, formatPath, type Path, UserFileError, YamlFile } from '@org/terminal/userFile';
import { type DefinitionFile, toDefinition } from './definitionFile.ts';
import { type Formula, FormulaError } from './formula/formula.ts';
import { parseFormula } from './formula/parseFormula.ts';
import { checkUnits } from './formula/units.ts';
import { schema } from './generated/schema.ts';

/**
 * Reads the definition of a server from a YAML or JSON file.
 *
 * @param path the path as the user typed it, which messages contain
 * @throws UsageError if the file cannot be read, or if it is invalid, with all problems by line
 */
export function readDefinitionFile(path: string, cwd: string): DefinitionFile {
  try {
    return parseServerFile(readText(path, cwd), path);
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error;
    throw new UsageError(`invalid server definition ${path}:\n${error.message}`);
  }
}

/** Parses the definition of a server. Throws `UserFileError` if it is invalid. */
export function parseServerFile(text: string, path: string): DefinitionFile {
  const file = new YamlFile(text);
  const value = file.problems.length === 0 ? file.toObject() : null;
  const problems = [...file.problems];
  if (problems.length === 0 && value === null)
    problems.push(file.createProblem([], `the file is empty; expected ${schema['x-expected']}`));
  if (problems.length === 0)
    problems.push(...findSchemaProblems(file, value, { schema, subject: 'definition' }));
  if (problems.length > 0) throw new UserFileError(path, problems);
  const definition = value as DefinitionFile;
  for (const [namePath, name] of listForeignMetrics(definition))
    problems.push(
      file.createProblem(
        namePath,
        `${formatPath(namePath)} is ${JSON.stringify(name)}, which does not belong to the server; expected a name from recognize.metrics, or a name that starts with one of recognize.prefixes`,
      ),
    );
  for (const [index, formula] of (toDefinition(definition).formulas ?? []).entries()) {
    const problem = findFormulaProblem(formula);
    if (problem === undefined) continue;
    const formulaPath = ['formulas', index, 'formula'];
    problems.push(file.createProblem(formulaPath, `invalid ${formatPath(formulaPath)}: ${problem}`));
  }
  if (problems.length > 0) throw new UserFileError(path, problems);
  return definition;
}

/** Describes the problem of a formula, with its column; undefined if it is valid. */
function findFormulaProblem({ formula, unit }: Formula): string | undefined {
  try {
    checkUnits(parseFormula(formula), unit);
    return undefined;
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return `${JSON.stringify(formula)}, column ${error.at + 1}: ${error.message}`;
  }
}

/** Lists the metrics of roles and tables that the server is not recognized by, so that they would never be used. */
function listForeignMetrics(file: DefinitionFile): (readonly [Path, string])[] {
  const { recognize, keyMetrics } = toDefinition(file);
  const roles = Object.entries((file.roles ?? {}) as Record<string, { readonly metrics: readonly string[] }>);
  const used: (readonly [Path, string])[] = [
    ...keyMetrics.map(({ name }, index) => [['key_metrics', index, 'name'], name] as const),
    ...roles.flatMap(([role, { metrics }]) =>
      metrics.map((name, index) => [['roles', role, 'metrics', index], name] as const),
    ),
  ];
  return used.filter(
    ([, name]) =>
      !recognize.prefixes.some(prefix => name.startsWith(prefix)) &&
      recognize.metrics?.includes(name) !== true,
  );
}

function readText(path: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, path), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UsageError(`cannot read the server definition ${JSON.stringify(path)}: ${describeCode(code)}`);
  }
}

function describeCode(code: string): string {
  const texts: Readonly<Record<string, string>> = {
    ENOENT: 'the file does not exist',
    EISDIR: 'it is a folder',
    EACCES: 'no permission to read it',
  };
  return texts[code] ?? code;
}
