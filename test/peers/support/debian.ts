import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runOrThrow } from './command.ts';

/** Returns the version of a Debian package that apt would install. Throws if apt does not know the package. */
export async function findDebianVersion(name: string): Promise<string> {
  const policy = await runOrThrow('apt-cache', ['policy', name]);
  const [, version] = /Candidate: (?!\(none\))(\S+)/.exec(policy) ?? [];
  if (version === undefined) throw new Error(`apt knows no package ${name}; run apt-get update`);
  return version;
}

/** Downloads a Debian package and extracts its files into a folder, without installing it or its dependencies. */
export async function extractDebianPackage(
  name: string,
  version: string,
  folder: string,
  timeoutMs: number,
): Promise<void> {
  await runOrThrow('apt-get', ['download', `${name}=${version}`], { cwd: folder, timeoutMs });
  for (const file of readdirSync(folder).filter(entry => entry.endsWith('.deb'))) {
    await runOrThrow('dpkg-deb', ['--extract', file, folder], { cwd: folder, timeoutMs });
    rmSync(join(folder, file));
  }
}
