import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../plans.ts';

/** Path of the built module. The child process cannot import TypeScript. */
const BUILT_MODULE = resolve(import.meta.dirname, '../../dist/lifecycle/lateImport.js');
const isBuilt = existsSync(BUILT_MODULE);
if (!isBuilt) console.log('skipped the test of late imports: build the package first');

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/**
 * Writes a linked package, whose `late.mjs` has a dependency, and a program that imports `late.mjs` after
 * `stat` of a socket.
 */
function writeProgram(): string {
  const folder = createFolder();
  write(join(folder, 'store/node_modules/dependency/index.mjs'), 'export default "imported";');
  write(
    join(folder, 'store/node_modules/dependency/package.json'),
    '{"name": "dependency", "exports": "./index.mjs"}',
  );
  write(join(folder, 'store/linked/early.mjs'), '');
  write(join(folder, 'store/linked/late.mjs'), 'import text from "dependency"; console.log(text);');
  symlinkSync(join(folder, 'store/linked'), join(folder, 'linked'));
  const program = join(folder, 'program.mjs');
  write(
    program,
    `import { statSync } from 'node:fs';
    import { createServer } from 'node:net';
    import { prepareLateImport } from ${JSON.stringify(BUILT_MODULE)};
    await import('./linked/early.mjs');
    const server = createServer();
    await new Promise(done => server.listen('socket', done));
    statSync('socket');
    prepareLateImport();
    await import('./linked/late.mjs').finally(() => server.close());`,
  );
  return program;
}

test.skipIf(!isBuilt || process.platform === 'win32')(
  'an import finds its dependencies after `stat` of a socket',
  () => {
    const program = writeProgram();
    const { stdout, stderr } = spawnSync(process.execPath, [program], {
      cwd: dirname(program),
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['imported\n', '']);
  },
);
