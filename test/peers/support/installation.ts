import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCacheFolder } from './cacheFolder.ts';
import { withLockFile } from './lockFile.ts';

/** Software to install into the cache folder. */
export interface Installation {
  readonly name: string;
  /** Everything that the installed files depend on, such as pinned versions. Another text is another installation. */
  readonly pins: string;
  /** Installs into an empty folder. Rejects with the reason if it cannot. */
  readonly install: (folder: string) => Promise<void>;
}

/** File that marks a complete installation. It contains the pins. */
const STAMP = 'installed.txt';

/**
 * Installs once: later calls, in any process, return the same folder. A folder whose installation was interrupted is
 * installed again.
 */
export async function installOnce(
  { name, pins, install }: Installation,
  cacheFolder: string = getCacheFolder(),
): Promise<string> {
  const folder = join(cacheFolder, `${name}-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`);
  const stamp = join(folder, STAMP);
  const isInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === pins;
  if (isInstalled()) return folder;
  mkdirSync(cacheFolder, { recursive: true });
  return withLockFile(`${folder}.lock`, async () => {
    if (isInstalled()) return folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    await install(folder);
    writeFileSync(stamp, pins);
    return folder;
  });
}
