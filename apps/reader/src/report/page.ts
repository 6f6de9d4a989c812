import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RunSetDocument } from '../sweep/runSetDocument.ts';
import type { ReportDocument } from './document.ts';

/** The folder with the script and the style sheet of the page, built by scripts/bundle.mjs. */
const ASSETS = new URL('../../dist/page/', import.meta.url);

/**
 * Renders a report as a self-contained HTML page. The Content-Security-Policy allows only the embedded script and style
 * sheet, by hash, and no network access. The script inserts all data as text.
 */
export function renderPage(report: ReportDocument | RunSetDocument): string {
  const script = readAsset('page.js');
  const style = readAsset('page.css');
  const policy = `default-src 'none'; script-src ${hashSource(script)}; style-src ${hashSource(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(report.title)} · servelens report</title>
<style>${style}</style>
</head>
<body>
<noscript>This page requires JavaScript. All scripts are embedded in the page.</noscript>
<script type="application/json" id="report">${embedJson(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function readAsset(name: string): string {
  return readFileSync(new URL(name, ASSETS), 'utf8').trim();
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/**
 * Serializes a value as JSON for a script element. `<` is escaped, so that `</script>` in data cannot end the
 * element.
 */
function embedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
