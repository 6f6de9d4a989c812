/** Matches one token of SQL: a comment, a quoted text, a word, or any other character. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|[\p{L}_][\p{L}\p{N}_$.]*|\s+|[\s\S]/gu;

const COMMENT_OR_SPACE = /^(?:--|\/\*|\s)/;

/**
 * Finds the paths that the statements write: the targets of `COPY ... TO` and `EXPORT DATABASE`. A target that is
 * not a literal, such as a variable, is undefined. `STDOUT` is not a path.
 */
export function findWrittenPaths(sql: string): readonly (string | undefined)[] {
  const tokens = [...sql.matchAll(TOKEN)]
    .map(([token]) => token)
    .filter(token => !COMMENT_OR_SPACE.test(token));
  const paths: (string | undefined)[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (isWord(tokens[at], 'copy')) {
      const target = findCopyTarget(tokens, at + 1);
      if (target !== undefined && !isWord(tokens[target], 'stdout'))
        paths.push(readPath(tokens[target], tokens[target + 1]));
    } else if (isWord(tokens[at], 'export') && isWord(tokens[at + 1], 'database')) {
      paths.push(readPath(tokens[at + (isWord(tokens[at + 3], 'to') ? 4 : 2)], undefined));
    }
  }
  return paths;
}

/** Returns the position of the token after `TO`; undefined for `COPY ... FROM` and other uses of the word. */
function findCopyTarget(tokens: readonly string[], start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token === '(') depth++;
    else if (token === ')' && depth-- === 0) return undefined;
    else if (depth === 0 && token === ';') return undefined;
    else if (depth === 0 && isWord(token, 'from') && isWord(tokens[start], 'from')) return undefined;
    else if (depth === 0 && isWord(token, 'to')) return at + 1;
  }
  return undefined;
}

function isWord(token: string | undefined, word: string): boolean {
  return token?.toLowerCase() === word;
}

/** Returns the text of a literal or of a name; undefined for an expression. `next` is the token after it. */
function readPath(token: string | undefined, next: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  if (token.startsWith('"')) return token.slice(1, -1).replaceAll('""', '"');
  const [, , dollarQuoted] = /^\$(\w*)\$([\s\S]*)\$\1\$$/.exec(token) ?? [];
  if (dollarQuoted !== undefined) return dollarQuoted;
  const isName = /^[\p{L}_]/u.test(token) && !/^e'/i.test(token);
  // A name that is followed by a bracket is a function.
  return isName && next !== '(' ? token : undefined;
}
