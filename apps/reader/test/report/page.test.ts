import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderPage } from '../../src/report/page.ts';
import { createHostileReport } from '../support/hostileReport.ts';
import { readPageData } from '../support/readPageData.ts';

const HOSTILE_TEXT = '</script><img src=x onerror=alert(1)><!-- \u2028 & "quoted"';

const REPORT = createHostileReport(HOSTILE_TEXT);

test('embeds text of a run without interpreting it as markup', () => {
  const page = renderPage(REPORT);
  expect(page).not.toContain('<img');
  expect(page).not.toContain('<!--');
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<\/script>/g)).toHaveLength(2);
});

test.each([
  { isTooShort: true, reason: 'This run is too short for charts over time.' },
  { isTooShort: false, reason: 'To record it, set --slice-duration, or export Parquet or JSONL.' },
])('says why there are no charts over time: $reason', ({ isTooShort, reason }) => {
  const { timeline: _, ...report } = REPORT;
  expect(renderPage({ ...report, isTooShort })).toContain(reason);
});

test('embeds the data of tables unchanged', () => {
  const { endpoints, series, timeline, requests } = REPORT;
  expect(readPageData(renderPage(REPORT))).toEqual({ endpoints, series, timeline, requests });
});

test('shows the hostile text in the title, the verdict, the charts and the findings', () => {
  const page = renderPage(REPORT);
  const escaped = '&#60;img src=x onerror=alert(1)&#62;';
  const [body] = page.split('<script type="text/plain"');
  expect(body!.split(escaped).length).toBeGreaterThan(15);
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

test('escapes the title in the header of printed pages, so that it cannot end the style', () => {
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(renderPage(REPORT))!;
  const [, content] = /@top-left\{content:"([^"]*)"\}/.exec(style!)!;
  expect(content).toContain('\\3c \\2f script\\3e ');
  expect(content).not.toMatch(/[<>"]/);
});

test('refers to no external resources', () => {
  expect(renderPage(REPORT)).not.toMatch(/\b(?:src|href)=["']?(?:https?:)?\/\//);
});
