import { type DefinitionFile, toDefinition, toFormula } from './definitionFile.ts';
import { definitions } from './generated/definitions.ts';
import { formulas } from './generated/formulas.ts';
import { ServerCatalog } from './serverCatalog.ts';

/** The servers of the files in the folder `servers`, and the formulas of the folder `formulas`. */
export const builtInServers: ServerCatalog = new ServerCatalog(
  definitions.map(toDefinition),
  formulas.map(toFormula),
);

/** Returns the built-in servers and further servers. Of several definitions with one name, the last one applies. */
export function extendBuiltInServers(files: readonly DefinitionFile[]): ServerCatalog {
  return builtInServers.with(files.map(toDefinition));
}
