// Writes generated files. Files whose content has not changed keep their times, so that they are not compiled again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes files below a folder.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} files contents by path below the folder
 */
export function writeGenerated(folder, files) {
  for (const [path, content] of files) {
    const file = join(folder, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
