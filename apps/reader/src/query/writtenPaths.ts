import { isWord, readLiteral, readName, splitStatements } from './sqlTokens.ts';

/** A path in a statement; undefined if it is not a literal. */
type StatementPath = string | undefined;

/** The paths that statements write, and the folders that they import. */
export interface StatementPaths {
  /**
   * Targets of `COPY ... TO` and `EXPORT DATABASE`, and files of logs and profiles of DuckDB. `STDOUT` is not a path.
   */
  readonly written: readonly StatementPath[];
  /** Folders of `IMPORT DATABASE`, whose files contain further statements. */
  readonly imported: readonly StatementPath[];
  /** True if a statement changes the home folder, `~`. */
  readonly changesHome: boolean;
}

/** Settings and parameters that name a file to write. The value of `storage_config` contains a path. */
const FILE_SETTINGS = new Set([
  'log_query_path',
  'profile_output',
  'profiling_output',
  'save_location',
  'storage_path',
  'storage_config',
]);
/** Words of statements that change settings. The functions can occur anywhere in a statement. */
const SETTING_WORDS = new Set(['set', 'pragma', 'enable_logging', 'enable_profiling', 'enable_profile']);
/** Options of `COPY ... TO` that are a part of the names of the written files. */
const NAME_OPTIONS = new Set(['filename_pattern', 'file_extension']);

/** Finds the paths that statements write, and the folders that they import. */
export function findStatementPaths(sql: string): StatementPaths {
  const statements = splitStatements(sql);
  return {
    written: statements.flatMap(tokens => [
      ...findCopyTargets(tokens),
      ...findExportFolders(tokens),
      ...findFileSettings(tokens),
    ]),
    imported: statements.flatMap(findImportFolders),
    changesHome: statements.some(tokens => tokens.some(token => toName(token) === 'home_directory')),
  };
}

/** Finds the targets of `COPY ... TO`. A target whose options can change the folder is undefined. */
function findCopyTargets(tokens: readonly string[]): StatementPath[] {
  return tokens.flatMap((token, at) => {
    const target = isWord(token, 'copy') ? findCopyTarget(tokens, at + 1) : undefined;
    if (target === undefined || isWord(tokens[target], 'stdout')) return [];
    const changesFolder = tokens.some(
      (option, at) => NAME_OPTIONS.has(toName(option)) && !isFileName(readValue(tokens, at + 1)),
    );
    return [changesFolder ? undefined : readPath(tokens, target)];
  });
}

/** Returns the position of the token after `TO`; undefined for `COPY ... FROM` and other uses of the word. */
function findCopyTarget(tokens: readonly string[], start: number): number | undefined {
  if (isWord(tokens[start], 'from') && !isWord(tokens[start + 1], 'database')) return undefined;
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token === '(') depth++;
    else if (token === ')' && depth-- === 0) return undefined;
    else if (depth === 0 && isWord(token, 'to')) return at + 1;
  }
  return undefined;
}

function findExportFolders(tokens: readonly string[]): StatementPath[] {
  return tokens.flatMap((token, at) =>
    isWord(token, 'export') && isWord(tokens[at + 1], 'database')
      ? [readPath(tokens, at + (isWord(tokens[at + 3], 'to') ? 4 : 2))]
      : [],
  );
}

function findFileSettings(tokens: readonly string[]): StatementPath[] {
  if (!tokens.some(token => SETTING_WORDS.has(toName(token)))) return [];
  return tokens.flatMap((token, at) =>
    FILE_SETTINGS.has(toName(token)) && isAssignment(tokens[at + 1]) ? [readValue(tokens, at + 1)] : [],
  );
}

function findImportFolders(tokens: readonly string[]): StatementPath[] {
  return tokens.flatMap((token, at) => {
    if (isWord(token, 'import') && isWord(tokens[at + 1], 'database')) return [readPath(tokens, at + 2)];
    return toName(token) === 'import_database' ? [readValue(tokens, at + 1)] : [];
  });
}

function toName(token: string | undefined): string {
  return readName(token)?.toLowerCase() ?? '';
}

function isAssignment(token: string | undefined): boolean {
  return token === '=' || token === ':' || token === '(' || isWord(token, 'to');
}

/** Returns the literal after `=`, `:=`, `=>`, `TO` or an opening bracket, any of which may be missing. */
function readValue(tokens: readonly string[], start: number): StatementPath {
  let at = start;
  while (isAssignment(tokens[at]) || tokens[at] === '>') at++;
  return readPath(tokens, at);
}

/** Returns the text of a literal or of a name; undefined for an expression, such as a function or several literals. */
function readPath(tokens: readonly string[], at: number): StatementPath {
  const literal = readLiteral(tokens[at]);
  if (literal !== undefined) return /^['$|+]/.test(tokens[at + 1] ?? '') ? undefined : literal;
  return tokens[at + 1] === '(' ? undefined : readName(tokens[at]);
}

function isFileName(text: StatementPath): boolean {
  return text !== undefined && !/[/\\]/.test(text);
}
