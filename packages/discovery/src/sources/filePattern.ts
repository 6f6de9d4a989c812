import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Reports whether the name of a file is a pattern with `*`, `?` or `[...]`. */
export function isPattern(path: string): boolean {
  return /[*?[]/.test(basename(path));
}

/**
 * Lists the files that match a path, in alphabetical order. As in Prometheus, only the name of the file may be a pattern.
 * Throws a system error if the folder cannot be read.
 */
export function listMatchingFiles(path: string): string[] {
  if (!isPattern(path)) return [path];
  const expression = toExpression(basename(path));
  return readdirSync(dirname(path))
    .filter(name => expression.test(name))
    .sort()
    .map(name => join(dirname(path), name));
}

function toExpression(pattern: string): RegExp {
  const source = pattern.replace(
    /\[([!^]?)([^\]]+)\]|[\\^$.|+(){}*?[\]]/g,
    (text, not?: string, set?: string) => {
      if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\]^]/g, '\\$&')}]`;
      if (text === '*') return '.*';
      return text === '?' ? '.' : `\\${text}`;
    },
  );
  return new RegExp(`^${source}$`);
}
