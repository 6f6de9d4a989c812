// Bundles the script and the style sheet of the report page, including the chart library, as dist/page/page.js and
// dist/page/page.css. The page embeds the text of both files.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, transform } from 'esbuild';

const home = join(import.meta.dirname, '..');
const outdir = join(home, 'dist/page');
const uplot = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css');

await build({
  entryPoints: [join(home, 'client/page.ts')],
  outfile: join(outdir, 'page.js'),
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
});
const { code } = await transform(
  `${readFileSync(uplot, 'utf8')}\n${readFileSync(join(home, 'client/page.css'), 'utf8')}`,
  { loader: 'css', minify: true },
);
writeFileSync(join(outdir, 'page.css'), code);
