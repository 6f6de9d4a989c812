import { statSync } from 'node:fs';

/**
 * To be called right before an `import()` that comes late in a run. Node 20's `realpathSync`, by which modules are found, stops
 * halfway when the file that `fs` was asked about last was a socket or a pipe; then what a package needs is looked for in the
 * wrong place. After this the last one was a folder.
 */
export function beforeLateImport(): void {
  statSync(import.meta.dirname);
}
