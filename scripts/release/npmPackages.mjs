// Packs the npm packages under the names in names.json: the packages of the repository, and the command as one package
// that contains all modules, so that `npx` needs nothing else.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleModules, NATIVE_PACKAGES } from './bundle.mjs';
import { execute, names, readJson, root, SOURCE_SCOPE } from './workspace.mjs';

/** Extensions of files that contain names of packages. */
const TEXT_FILES = /\.(js|d\.ts|json|md)$/;

const COMMAND_FOLDER = 'apps/cli';

/** Packs all packages into `folder`, and returns the paths of the tarballs. */
export async function packPackages(folder) {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    const tarballs = packSources(work).map(tarball => packRenamed(tarball, work, folder));
    return [...tarballs, await packCommand(work, folder)];
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Packs the public packages of the repository with pnpm, which replaces `workspace:` versions. */
function packSources(work) {
  const { packageManager } = readJson(join(root, 'package.json'));
  const folders = ['packages', 'apps'].flatMap(parent =>
    readdirSync(join(root, parent)).map(name => `${parent}/${name}`),
  );
  const isPublished = name => name !== COMMAND_FOLDER && !readJson(join(root, name, 'package.json')).private;
  const filters = folders.filter(isPublished).flatMap(name => ['--filter', `./${name}`]);
  execute('npx', ['--yes', packageManager, '-r', ...filters, 'pack', '--pack-destination', work]);
  return readdirSync(work)
    .filter(name => name.endsWith('.tgz'))
    .sort();
}

/** Packs a tarball again with the scope of releases in all of its files. */
function packRenamed(tarball, work, folder) {
  const unpacked = join(work, tarball.replace('.tgz', ''));
  mkdirSync(unpacked);
  execute('tar', ['-xzf', join(work, tarball), '-C', unpacked]);
  const home = join(unpacked, 'package');
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && TEXT_FILES.test(entry.name)) renameIn(join(entry.parentPath, entry.name));
  writeManifest(home, readJson(join(home, 'package.json')));
  return pack(home, folder);
}

function renameIn(file) {
  const text = readFileSync(file, 'utf8');
  const renamed = text
    .replaceAll(`${SOURCE_SCOPE}/cli`, names.npmPackage)
    .replaceAll(`${SOURCE_SCOPE}/`, `${names.scope}/`);
  if (renamed !== text) writeFileSync(file, renamed);
}

/** Packs the command with all modules that it needs. Only packages with native code stay dependencies. */
async function packCommand(work, folder) {
  const home = join(work, 'command');
  for (const name of ['bin', 'README.md', 'LICENSE'])
    cpSync(join(root, COMMAND_FOLDER, name), join(home, name), { recursive: true });
  renameIn(join(home, 'README.md'));
  await bundleModules(join(home, 'dist'));
  const page = `man/${names.command}.1`;
  const { dependencies, exports, ...manifest } = readJson(join(root, COMMAND_FOLDER, 'package.json'));
  writeManifest(home, {
    ...manifest,
    name: names.npmPackage,
    files: [...manifest.files, 'man'],
    man: [page],
    optionalDependencies: NATIVE_PACKAGES,
  });
  mkdirSync(join(home, 'man'));
  writeFileSync(join(home, page), execute(process.execPath, [join(home, 'bin/servelens.js'), 'man']));
  return pack(home, folder);
}

/** Writes a package.json. In a workflow of GitHub, it names the repository, which provenance requires. */
function writeManifest(home, { devDependencies, scripts, ...manifest }) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  const origin =
    server && repository ? { repository: { type: 'git', url: `git+${server}/${repository}.git` } } : {};
  writeFileSync(join(home, 'package.json'), `${JSON.stringify({ ...manifest, ...origin }, null, 2)}\n`);
}

function pack(home, folder) {
  const [{ filename }] = JSON.parse(
    execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: home }),
  );
  return join(folder, filename);
}
