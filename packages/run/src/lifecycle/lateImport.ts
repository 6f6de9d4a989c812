import { statSync } from 'node:fs';

/**
 * Prepares for an `import()` in the middle of a run; call it immediately before.
 *
 * Works around a defect of `realpathSync` in Node 20, which resolves modules: if the last file that `fs` looked up was a socket
 * or a pipe, it resolves paths only partially, and dependencies are then searched in the wrong folder. This function looks up a
 * folder last.
 */
export function prepareLateImport(): void {
  statSync(import.meta.dirname);
}
