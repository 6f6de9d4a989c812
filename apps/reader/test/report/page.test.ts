import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { renderPage } from '../../src/report/page.ts';

const HOSTILE_TEXT = '</script><img src=x onerror=alert(1)><!-- \u2028 & "quoted"';

const REPORT: ReportDocument = {
  title: HOSTILE_TEXT,
  facts: [{ name: 'Command', text: HOSTILE_TEXT }],
  notes: [HOSTILE_TEXT],
  endpoints: [],
  findings: [],
  percentiles: [],
  series: { columns: [], texts: [HOSTILE_TEXT], rows: [], more: 0 },
};

test('embeds text of a run without interpreting it as markup', () => {
  const page = renderPage(REPORT);
  expect(page).not.toContain('<img');
  expect(page).not.toContain('<!--');
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
});

test('embeds the report unchanged', () => {
  const [, json] = /<script type="application\/json" id="report">(.*?)<\/script>/.exec(renderPage(REPORT))!;
  expect(JSON.parse(json!)).toEqual(REPORT);
});

test('allows only the embedded script and style', () => {
  const page = renderPage(REPORT);
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page)!;
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page)!;
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page)!;
  const computeHash = (text: string): string =>
    `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(policy).toBe(
    `default-src 'none'; script-src ${computeHash(script!)}; style-src ${computeHash(style!)}; base-uri 'none'; form-action 'none'`,
  );
});

test('refers to no external resources', () => {
  expect(renderPage(REPORT)).not.toMatch(/\b(?:src|href)=["']?(?:https?:)?\/\//);
});
