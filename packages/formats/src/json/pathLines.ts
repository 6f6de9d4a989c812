import { parseJson } from './parse.ts';
import type { Path } from './path.ts';
import { locateOffset } from './syntaxError.ts';

/**
 * Returns the line number, from 1, of each path in a JSON text. For a path that does not exist, returns the
 * line of its nearest existing parent. Parses the whole text again, so it should only be used to report
 * errors.
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

/** Returns the offset of the deepest existing member on a path. */
function findOffset(
  root: unknown,
  path: Path,
  offsets: WeakMap<object, Map<string | number, number>>,
): number {
  let container = root;
  let offset = 0;
  for (const step of path) {
    const memberOffset =
      typeof container === 'object' && container !== null ? offsets.get(container)?.get(step) : undefined;
    if (memberOffset === undefined) return offset;
    offset = memberOffset;
    container = (container as Record<string | number, unknown>)[step];
  }
  return offset;
}
