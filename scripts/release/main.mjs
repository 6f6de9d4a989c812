// Builds the files of a release: npm packages, the executable of this platform, and the wheel that contains it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './executable.mjs';
import { packPackages } from './npmPackages.mjs';
import { buildWheel } from './wheel.mjs';
import { names } from './workspace.mjs';

const USAGE = `Usage: npm run release-files -- npm|executable|wheel [--out FOLDER] [--node FILE] [--python FILE]

  npm         pack all npm packages
  executable  build the single-file executable of this platform
  wheel       pack the executable as a Python wheel; builds it if it does not exist

  --out FOLDER   output folder [default: release-files]
  --node FILE    Node binary that the executable contains [default: the Node that runs this script]
  --python FILE  Python that packs the wheel [default: python3]`;

/** Parses the command line, or prints the usage and exits with code 2. */
function readCommandLine() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { out: { type: 'string' }, node: { type: 'string' }, python: { type: 'string' } },
    });
    const [kind = '', ...others] = positionals;
    if (Object.hasOwn(builders, kind) && others.length === 0) return { kind, ...values };
    throw new Error(`unknown kind ${JSON.stringify(positionals.join(' '))}`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

const builders = {
  npm: ({ folder }) => packPackages(folder),
  executable: async options => [await buildExecutable(options)],
  wheel: async options => {
    const executable = join(options.folder, names.command);
    if (!existsSync(executable)) await buildExecutable(options);
    return [buildWheel({ ...options, executable, notices: join(options.folder, 'THIRD_PARTY_NOTICES') })];
  },
};

const { kind, out = 'release-files', node, python } = readCommandLine();
const folder = resolve(out);
for (const file of await builders[kind]({ folder, ...(node ? { node } : {}), ...(python ? { python } : {}) }))
  console.log(file);
