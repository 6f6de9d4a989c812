import type { DefinitionFile } from './definitionFile.ts';

/** The maximum number of definitions that are read from a run. */
const MAX_DEFINITIONS = 100;

/** The definitions of servers that a run recorded. */
export interface RecordedDefinitions {
  /** The valid definitions. */
  readonly definitions: readonly DefinitionFile[];
  /** A sentence for each definition that is ignored because it is invalid. */
  readonly problems: readonly string[];
}

/**
 * Reads the definitions of servers from a file of a run. The file may be from another program, so each definition is
 * validated like a file that a user wrote. The validator is loaded only if there are definitions.
 */
export async function readRecordedDefinitions(recorded: unknown): Promise<RecordedDefinitions> {
  if (recorded === undefined) return { definitions: [], problems: [] };
  if (!Array.isArray(recorded))
    return { definitions: [], problems: ['the recorded server definitions are ignored: expected a list'] };
  const { parseServerFile } = await import('./file.ts');
  const definitions: DefinitionFile[] = [];
  const problems: string[] = [];
  for (const [index, value] of recorded.slice(0, MAX_DEFINITIONS).entries()) {
    try {
      definitions.push(parseServerFile(JSON.stringify(value), ''));
    } catch (error) {
      const [problem] =
        (error as { readonly problems?: readonly { readonly message: string }[] }).problems ?? [];
      if (!problem) throw error;
      problems.push(`server definition ${index + 1} of the run is ignored: ${problem.message}`);
    }
  }
  if (recorded.length > MAX_DEFINITIONS)
    problems.push(
      `the run records ${recorded.length} server definitions; only the first ${MAX_DEFINITIONS} are used`,
    );
  return { definitions, problems };
}
