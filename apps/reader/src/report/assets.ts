import { readFileSync } from 'node:fs';
import { PAPER, writePaletteStyle } from '../svg/palette.ts';

/** The folder with the scripts and the style sheets of the pages, built by scripts/bundle.mjs. */
const ASSETS = new URL('../../dist/page/', import.meta.url);

/** Reads a script or a style sheet of the pages. */
export function readAsset(name: string): string {
  return readFileSync(new URL(name, ASSETS), 'utf8').trim();
}

/** Returns the style of pictures: that of the light page, without variables, which converters do not know. */
export function readPictureStyle(): string {
  const variables = new Map<string, string>([['paper', PAPER[0]]]);
  for (const [, name = '', light = ''] of readAsset('page.css').matchAll(/--([\w-]+):\s*light-dark\((#\w+)/g))
    variables.set(name, light);
  const drawing = readAsset('drawing.css').replace(/var\(--([\w-]+)\)/g, (_, name) => variables.get(name)!);
  const ink = variables.get('ink')!;
  const text = `text{font-family:system-ui,'DejaVu Sans',sans-serif}.title{font-size:14px;font-weight:700;fill:${ink}}`;
  return `${text}.paper{fill:${PAPER[0]}}${drawing}${writePaletteStyle(([light]) => light)}`;
}
