// Bundles the servelens command with all packages except the optional native ones: as ES modules for npm, and as one
// script for the executable.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { formatNotices } from '../../packages/formats/scripts/notices.mjs';
import { readJson, root } from './workspace.mjs';

/** Versions of the packages with native code. They are optional, and loaded only by the commands that need them. */
export const NATIVE_PACKAGES = readJson(join(root, 'apps/reader/package.json')).optionalDependencies;

/** Files that the program reads at run time: their paths in the bundle, and their sources. */
const RUNTIME_FILES = {
  page: 'apps/reader/dist/page',
  schemas: 'packages/formats/dist/schemas',
};

/** Modules that run in a worker thread or a process of their own, by their name in the bundle. */
export const THREAD_MODULES = {
  workerMain: 'packages/loadgen/dist/workers/workerMain.js',
  counterThread: 'packages/loadgen/dist/tokens/counterThread.js',
  dispatchThread: 'packages/push/dist/dispatch/dispatchThread.js',
  writerThread: 'packages/run/dist/export/parquetThread/writerThread.js',
  probeThread: 'packages/loadgen/dist/network/probeThread.js',
};
export const WATCH_MODULE = 'apps/cli/dist/watch/watchProcess.js';

/**
 * Statements that find files relative to their module, and statements with the same effect in a bundle, where all
 * modules are in one folder.
 */
const REPLACEMENTS = {
  'apps/reader/dist/report/assets.js': [["'../../dist/page/'", "'./page/'"]],
  'packages/discovery/dist/config/configSchema.js': [
    [
      "createRequire(import.meta.url).resolve('@org/formats')",
      "new URL('./index.js', import.meta.url).pathname",
    ],
  ],
  // Without this variable, esbuild bundles the modules that are required.
  'packages/scrape/dist/http/undiciClient.js': [['const require = createRequire(import.meta.url);', '']],
};

const INTRODUCTION = 'Servelens includes these packages. Their licenses follow.\n';

/**
 * Options of esbuild that all bundles share.
 *
 * @satisfies {import('esbuild').BuildOptions}
 */
const SHARED_OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  platform: /** @type {const} */ ('node'),
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: /** @type {const} */ ('none'),
  logLevel: /** @type {const} */ ('warning'),
  metafile: true,
};

/** Replaces the statements in `REPLACEMENTS`. Fails if one of them does not exist. */
const replaceFileLookups = {
  name: 'replace-file-lookups',
  setup(bundler) {
    bundler.onLoad({ filter: /dist[\\/].*\.js$/ }, ({ path }) => {
      const replacements = REPLACEMENTS[relative(root, path).replaceAll('\\', '/')];
      if (!replacements) return undefined;
      let contents = readFileSync(path, 'utf8');
      for (const [statement, replacement] of replacements) {
        if (!contents.includes(statement)) return { errors: [{ text: `${statement} is not in ${path}` }] };
        contents = contents.replace(statement, replacement);
      }
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Runs esbuild with the options that all bundles share, and returns the paths of the bundled files, relative to the
 * repository.
 *
 * @param {import('esbuild').BuildOptions} options
 */
export async function bundle({ plugins = [], ...options }) {
  const { metafile } = await build({
    ...SHARED_OPTIONS,
    ...options,
    plugins: [replaceFileLookups, ...plugins],
  });
  return Object.keys(metafile?.inputs ?? {});
}

/** Bundles ES modules, as the npm package contains them, into `folder`. */
export async function bundleModules(folder) {
  const files = await bundle({
    entryPoints: {
      bin: 'apps/cli/dist/bin.js',
      watchProcess: WATCH_MODULE,
      ...THREAD_MODULES,
    },
    outdir: folder,
    format: 'esm',
    splitting: true,
    external: Object.keys(NATIVE_PACKAGES),
    // CommonJS packages need `require` for the modules of Node.
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
  });
  copyRuntimeFiles(folder);
  writeNotices(folder, files);
}

/** Copies the files that the program reads at run time. */
export function copyRuntimeFiles(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of Object.entries(RUNTIME_FILES))
    cpSync(join(root, source), join(folder, name), { recursive: true });
}

/** Writes the license texts of the packages that contain the bundled files. */
export function writeNotices(folder, files) {
  const notices = formatNotices(
    files.map(file => join(root, file)),
    INTRODUCTION,
  );
  writeFileSync(join(folder, 'THIRD_PARTY_NOTICES'), notices);
}
