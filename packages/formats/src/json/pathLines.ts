import { parseJson } from './parse.ts';
import type { Path } from './path.ts';
import { locateOffset } from './syntaxError.ts';

/**
 * Finds the line, from 1, of each path in a JSON text. For a path that does not exist, the line of its nearest existing
 * parent is returned. Parses the text again, so use it only to report errors.
 */
export function findPathLines(text: string, paths: readonly Path[]): number[] {
  const offsets = new WeakMap<object, Map<string | number, number>>();
  const { value } = parseJson(text, {
    onMember(container, key, offset) {
      const members = offsets.get(container);
      if (members) members.set(key, offset);
      else offsets.set(container, new Map([[key, offset]]));
    },
  });
  return paths.map(path => locateOffset(text, findOffset(value, path, offsets)).line);
}

function findOffset(
  root: unknown,
  path: Path,
  offsets: WeakMap<object, Map<string | number, number>>,
): number {
  let at = root;
  let offset = 0;
  for (const step of path) {
    const found = typeof at === 'object' && at !== null ? offsets.get(at)?.get(step) : undefined;
    if (found === undefined) return offset;
    offset = found;
    at = (at as Record<string | number, unknown>)[step];
  }
  return offset;
}
