import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RunSetDocument } from '../sweep/page.ts';
import type { ReportDocument } from './document.ts';

/** Where the build leaves the scripts and the style of the page (scripts/bundle.mjs). */
const ASSETS = new URL('../../dist/page/', import.meta.url);

/**
 * The page of a report: one file that needs nothing else. Its policy allows its own scripts and styles, by their hashes,
 * and nothing from any network; all else in it is data, which the scripts show as text.
 */
export function renderPage(report: ReportDocument | RunSetDocument): string {
  const script = asset('page.js');
  const style = asset('page.css');
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(report.title)} · servelens report</title>
<style>${style}</style>
</head>
<body>
<noscript>This page draws its figures with the scripts that are in it, and they are switched off.</noscript>
<script type="application/json" id="report">${jsonInPage(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function asset(name: string): string {
  return readFileSync(new URL(name, ASSETS), 'utf8').trim();
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** JSON that cannot end the element it stands in: `</script>` and `<!--` need a `<`. */
function jsonInPage(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
