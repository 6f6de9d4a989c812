import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackages } from '../../scripts/release/npmPackages.mjs';
import { names } from '../../scripts/release/workspace.mjs';
import { readWorkspaces } from '../source.ts';
import { installNodeBinaries } from './support/nodeBinaries.ts';
import {
  type LocalRegistry,
  type PackedPackage,
  readPackedPackage,
  startRegistry,
} from './support/registry.ts';

const LIBRARIES = readWorkspaces()
  .filter(({ manifest, name }) => !manifest.private && name !== '@org/cli')
  .map(({ name }) => name.replace('@org', names.scope));

describe('the npm packages of a release', () => {
  let work = '';
  let packages: readonly PackedPackage[] = [];
  let registry: LocalRegistry;
  let nodes: ReadonlyMap<string, string>;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'release-'));
    packages = (await packPackages(join(work, 'npm'))).map(readPackedPackage);
    registry = await startRegistry(packages);
    nodes = installNodeBinaries();
  });

  afterAll(() => {
    registry.close();
    rmSync(work, { recursive: true });
  });

  test('are the public packages and the command, with the names of releases', () => {
    const published = packages.map(({ manifest }) => manifest.name);
    expect(published.toSorted()).toEqual([...LIBRARIES, names.npmPackage].toSorted());
  });

  test.each(LIBRARIES)('%s installs alone, and its modules load in each version of Node', async name => {
    const folder = createFolder(name.replace('/', '-'));
    writeFileSync(join(folder, '.npmrc'), `${names.scope}:registry=${registry.url}\n`);
    await install(folder, name);
    for (const entry of listModules(packages, name)) {
      writeFileSync(
        join(folder, 'load.mjs'),
        `console.log(Object.keys(await import('${entry}')).length > 0)`,
      );
      for (const [version, node] of nodes) {
        const { stdout, stderr } = spawnSync(node, ['load.mjs'], { cwd: folder, encoding: 'utf8' });
        expect(stdout, `${entry} in Node ${version}: ${stderr}`).toBe('true\n');
      }
    }
  });

  test('the command starts with npx from its tarball, and installed alone in each version of Node', async () => {
    const { tarball, manifest } = packages.find(candidate => candidate.manifest.name === names.npmPackage)!;
    const folder = createFolder('npx');
    const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' };
    // Packages with native code are optional. Without a registry, they are left out.
    const args = ['--yes', '--omit=optional', `--package=${tarball}`, names.command, '--version'];
    expect(execFileSync('npx', args, { cwd: folder, encoding: 'utf8', env })).toBe(`${manifest.version}\n`);
    const alone = createFolder('command');
    await install(alone, tarball, '--omit=optional');
    expect(readFileSync(join(alone, 'node_modules/.package-lock.json'), 'utf8')).not.toContain(
      `${names.scope}/`,
    );
    const page = readFileSync(join(alone, 'node_modules', names.npmPackage, 'man/servelens.1'), 'utf8');
    expect(page).toContain('.SH SERVELENS PROFILE');
    const bin = join(alone, 'node_modules/.bin', names.command);
    for (const [version, node] of nodes) {
      const result = spawnSync(node, [bin, 'profile', '--help'], { encoding: 'utf8' });
      expect(result, `Node ${version}: ${result.stderr}`).toMatchObject({ status: 0, stderr: '' });
    }
  });

  function createFolder(name: string): string {
    const folder = join(work, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    return folder;
  }
});

/** Installs packages. Does not block this process, which serves the registry. */
async function install(folder: string, ...specifiers: readonly string[]): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...specifiers];
  await promisify(execFile)('npm', args, { cwd: folder });
}

/** Lists the names by which the modules of a package are imported. */
function listModules(packages: readonly PackedPackage[], name: string): string[] {
  const { manifest } = packages.find(candidate => candidate.manifest.name === name)!;
  return Object.keys(manifest.exports ?? {})
    .filter(key => !key.includes('*'))
    .map(key => `${name}${key.slice(1)}`);
}
