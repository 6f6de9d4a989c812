import { statSync } from 'node:fs';

/**
 * Prepares for an `import()` in the middle of a run; call it immediately before.
 *
 * Works around a defect in Node 20: if the last file that `fs` looked up was a socket or a pipe,
 * `realpathSync` resolves paths only partially, and modules are searched for in the wrong folder. Looking up
 * a folder first avoids this.
 */
export function prepareLateImport(): void {
  statSync(import.meta.dirname);
}
