/** Matches one token of SQL: a line comment, the start of a comment, a quoted text, a word, or any other character. */
const TOKEN =
  /--[^\n]*|\/\*|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|[\p{L}_][\p{L}\p{N}_$.]*|\s+|[\s\S]/uy;

const COMMENT_MARK = /\/\*|\*\//g;

/** Splits SQL into statements, and each statement into tokens, without whitespace and comments. */
export function splitStatements(sql: string): readonly (readonly string[])[] {
  const statements: string[][] = [[]];
  for (const token of splitTokens(sql))
    if (token === ';') statements.push([]);
    else statements.at(-1)!.push(token);
  return statements;
}

function splitTokens(sql: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < sql.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(sql)![0];
    at = token === '/*' ? findCommentEnd(sql, at) : at + token.length;
    if (!/^(?:--|\/\*|\s)/.test(token)) tokens.push(token);
  }
  return tokens;
}

/** Returns the end of a comment, which may contain comments. */
function findCommentEnd(sql: string, start: number): number {
  let depth = 0;
  COMMENT_MARK.lastIndex = start;
  for (let mark = COMMENT_MARK.exec(sql); mark; mark = COMMENT_MARK.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return COMMENT_MARK.lastIndex;
  }
  return sql.length;
}

/** Reports whether a token is a keyword, which must be given in lower case. */
export function isWord(token: string | undefined, word: string): boolean {
  return token?.toLowerCase() === word;
}

/** Returns the text of a literal in single quotes or between dollar signs; undefined for other tokens. */
export function readLiteral(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  return /^\$(\w*)\$([\s\S]*)\$\1\$$/.exec(token)?.[2];
}

/** Returns a name, which may be quoted; undefined for other tokens. */
export function readName(token: string | undefined): string | undefined {
  if (token?.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"');
  return token !== undefined && /^[\p{L}_]/u.test(token) && !/^e'/i.test(token) ? token : undefined;
}
