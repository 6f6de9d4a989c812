import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScript } from './support/script.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lateimport-')));
  mkdirSync(join(folder, 'store'));
  for (const name of ['early', 'late'])
    writeFileSync(join(folder, 'store', `${name}.mjs`), 'export const url = import.meta.url;');
  // As pnpm links packages.
  symlinkSync(join(folder, 'store'), join(folder, 'linked'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where a module is found that is imported by its link, after `fs` was asked about a socket. */
function foundAt(before: string): string {
  return runScript(
    folder,
    `import { statSync } from 'node:fs';
     import { createServer } from 'node:net';
     import { beforeLateImport } from './lateimport.ts';
     const linked = ${JSON.stringify(join(folder, 'linked'))};
     const load = name => import(linked + '/' + name + '.mjs');
     await load('early');
     const path = ${JSON.stringify(folder)} + '/socket' + process.pid;
     const server = createServer();
     await new Promise(resolve => server.listen(path, resolve));
     statSync(path);
     ${before}
     console.log((await load('late')).url);
     server.close();`,
  );
}

test('a module that is imported late is found where it really is', () => {
  expect(foundAt('beforeLateImport()')).toBe(`file://${folder}/store/late.mjs`);
});

/** Other versions may have the mistake, too: then this test says where. */
test.skipIf(!process.version.startsWith('v20.'))('without it, Node 20 takes the link for the place', () => {
  expect(foundAt('')).toBe(`file://${folder}/linked/late.mjs`);
});
