// Loads a package with native code from the folder `servelens-modules` beside the executable, or from the folder in
// SERVELENS_MODULES.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = process.env.SERVELENS_MODULES ?? join(dirname(process.execPath), 'servelens-modules');

/** Loads a package of the given version. Throws an error with the fix if it is not installed. */
export function loadNativePackage(name, version) {
  try {
    return createRequire(join(folder, 'node_modules', 'index.js'))(name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`not installed; run: npm install --prefix '${folder}' ${name}@${version}`);
  }
}
