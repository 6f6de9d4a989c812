// Reads files of the program, which are assets of the executable. The build defines BUNDLE_ROOT, a URL.
import { getAsset } from 'node:sea';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(BUNDLE_ROOT);

/** Reads the file that has this path or URL below BUNDLE_ROOT. */
export function readAsset(file, encoding) {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  return getAsset(path.slice(ROOT.length).replaceAll('\\', '/'), encoding);
}
