// Bundles the scripts and the style sheet of the pages: dist/page/run.js for a run, dist/page/liveRun.js for a
// run that is watched, dist/page/comparison.js for a comparison, dist/page/runSet.js for sweeps and repeated runs,
// dist/page/trend.js for trends, and their style sheets. A page embeds the text of its files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, transform } from 'esbuild';

const home = join(import.meta.dirname, '..');
const outdir = join(home, 'dist/page');

await build({
  entryPoints: ['run', 'liveRun', 'runSet', 'trend', 'comparison'].map(name =>
    join(home, `client/${name}.ts`),
  ),
  outdir,
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
for (const [name, ...paths] of [
  ['page.css', 'src/svg/drawing.css', ...['page', 'phone', 'print'].map(name => `client/${name}.css`)],
  ['runSet.css', 'client/runSet.css'],
  ['comparison.css', 'client/comparison.css'],
  ['drawing.css', 'src/svg/drawing.css'],
]) {
  const text = paths.map(path => readFileSync(resolve(home, path), 'utf8')).join('\n');
  const { code } = await transform(text, { loader: 'css', minify: true });
  writeFileSync(join(outdir, name), code);
}
