// Builds the single-file executable: Node with the bundled command as its main script (a "single executable application").
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'postject';
import { bundle, copyRuntimeFiles, NATIVE_PACKAGES, THREAD_MODULES, writeNotices } from './bundle.mjs';
import { execute, names, root } from './workspace.mjs';

/** A folder that does not exist. Modules of the executable find their files below it. */
const BUNDLE_ROOT = 'file:///servelens/';

/** Marks the place in the binary of Node that enables the main script. See the documentation of Node on single executables. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const SHIMS = join(root, 'scripts/release/executable/shims');

/** Modules whose imports are replaced: of Node, by the part of their path that identifies them. */
const SHIMMED_IMPORTS = [
  { module: 'node:fs', shim: 'fs.mjs', importers: /(runProgram|configSchema|report\/assets)\.js$/ },
  {
    module: 'node:worker_threads',
    shim: 'workerThreads.mjs',
    importers: /(workerThread|threadCounter|roundTrips|threadDispatcher|threadWriter)\.js$/,
  },
];

const replaceImports = {
  name: 'replace-imports',
  setup(bundler) {
    for (const { module, shim, importers } of SHIMMED_IMPORTS)
      bundler.onResolve({ filter: new RegExp(`^${module}$`) }, ({ importer }) =>
        importers.test(importer.replaceAll('\\', '/')) ? { path: join(SHIMS, shim) } : undefined,
      );
    bundler.onResolve(
      { filter: new RegExp(`^(${Object.keys(NATIVE_PACKAGES).join('|')})$`) },
      ({ path }) => ({
        path,
        namespace: 'native',
      }),
    );
    bundler.onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
      contents: `const { loadNativePackage } = require('./nativePackage.mjs'); module.exports = loadNativePackage(${JSON.stringify(path)}, ${JSON.stringify(NATIVE_PACKAGES[path])});`,
      resolveDir: SHIMS,
    }));
  },
};

/** Replacements of `import.meta`, which scripts of the executable do not have. */
const define = {
  BUNDLE_ROOT: JSON.stringify(BUNDLE_ROOT),
  'import.meta.url': JSON.stringify(`${BUNDLE_ROOT}dist/main.js`),
  'import.meta.dirname': '"/"',
};

/**
 * Builds the executable `servelens` in `folder` from the Node binary `node`, and returns its path. The platform of the
 * executable is the platform of this process.
 *
 * @param {{ folder: string, node?: string }} options
 */
export async function buildExecutable({ folder, node = process.execPath }) {
  const work = join(folder, 'executable-build');
  rmSync(work, { recursive: true, force: true });
  await bundleScripts(work);
  const blob = createBlob(work, node);
  const executable = join(folder, names.command);
  rmSync(executable, { force: true });
  copyFileSync(node, executable);
  if (process.platform === 'linux') removeSymbols(executable);
  if (process.platform === 'darwin') execute('codesign', ['--remove-signature', executable]);
  await inject(executable, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: FUSE,
    ...(process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  // macOS on ARM runs only signed programs. This signature has no identity.
  if (process.platform === 'darwin') execute('codesign', ['--sign', '-', executable]);
  copyFileSync(join(work, 'THIRD_PARTY_NOTICES'), join(folder, 'THIRD_PARTY_NOTICES'));
  rmSync(work, { recursive: true });
  return executable;
}

/** Bundles the main script and the modules of threads, and copies the files that the program reads. */
async function bundleScripts(work) {
  const assets = join(work, 'assets');
  mkdirSync(assets, { recursive: true });
  const main = await bundle({
    entryPoints: [join(root, 'scripts/release/executable/entry.mjs')],
    outfile: join(work, 'main.cjs'),
    format: 'cjs',
    plugins: [replaceImports],
    define,
  });
  const threads = await bundle({
    entryPoints: THREAD_MODULES,
    outdir: join(assets, 'dist'),
    format: 'esm',
    plugins: [replaceImports],
    define,
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire('file:///');",
    },
  });
  copyRuntimeFiles(join(assets, 'dist'));
  copyFileSync(join(root, 'apps/cli/package.json'), join(assets, 'package.json'));
  writeNotices(work, [...main, ...threads]);
}

/** Packs the main script and the assets with the Node binary that will run them, because they include compiled code. */
function createBlob(work, node) {
  const assets = join(work, 'assets');
  const files = readdirSync(assets, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = files.map(entry => join(entry.parentPath, entry.name));
  const config = {
    main: 'main.cjs',
    output: 'program.blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(
      paths.map(path => [path.slice(assets.length + 1).replaceAll('\\', '/'), path]),
    ),
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  execute(node, ['--experimental-sea-config', 'sea.json'], { cwd: work });
  return join(work, config.output);
}

/** Removes the symbols of the Node binary, about 15% of its size. */
function removeSymbols(executable) {
  execute('strip', ['--strip-unneeded', executable]);
}
