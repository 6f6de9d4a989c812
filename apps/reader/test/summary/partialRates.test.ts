import { createRunFromView, type Run } from '@org/analysis';
import { expect, test } from 'vitest';
import * as documents from '../../../../packages/analysis/test/documents.ts';
import { buildReport } from '../../src/report/buildReport.ts';
import { buildSummaryDocument } from '../../src/summary/json.ts';
import { renderSummaryMarkdown } from '../../src/summary/markdown.ts';
import { renderRun } from '../../src/summary/screen.ts';

const { createCounter, createDocument, createMetric, healthyInfo, SECOND_NS, START_NS, URL_A, URL_B } =
  documents;

const deadInfo = {
  ...healthyInfo,
  status: 'failing',
  last_fetch_ns: START_NS + 7n * SECOND_NS,
  last_failure_ns: START_NS + 20n * SECOND_NS,
  last_error: 'refused the connection',
  scrapes_failed: 39,
  outages: [{ start_ns: START_NS + 8n * SECOND_NS, scrapes: 39, reason: 'refused', message: 'refused' }],
};

/** Creates a run of 20 s with these series and endpoints. */
const createTokenRun = (series: readonly object[], infos: Readonly<Record<string, object>>): Run =>
  createRunFromView(
    createDocument({ 'vllm:generation_tokens': createMetric('counter', series, 'tokens') }, infos),
  );

/** The tokens of a server that died after 7 s, with the rate until then. */
const deadSeries = createCounter(7000, { stats: { rate: 1000 } });
const deadRun = createTokenRun([deadSeries], { [URL_A]: deadInfo });
/** A run with the dead server and one that did not die. */
const run = createTokenRun([deadSeries, createCounter(30_000, { url: URL_B })], {
  [URL_A]: deadInfo,
  [URL_B]: healthyInfo,
});

const LEGEND = '* rate of the time with samples only: localhost:8000 7 s of 20 s';

test('the screen marks rates that cover only a part of the run, and names the part', () => {
  const lines = renderRun(run, { width: 100, height: 40, color: false }).split('\n');
  expect(lines.find(line => /^ +localhost:8000/.test(line))).toMatch(/ 1000\*$/);
  expect(lines.find(line => /^ +down:1/.test(line))).toMatch(/ 1500$/);
  expect(lines).toContain(` ${LEGEND}`);
});

test('Markdown marks rates that cover only a part of the run, and names the part', () => {
  const text = renderSummaryMarkdown(deadRun);
  expect(text).toMatch(/generation_tokens.*\| 1000\* \|/);
  expect(text).toContain(`${LEGEND.replace('*', '\\*')}`);
});

test('totals of several endpoints cover the whole run', () => {
  const text = renderSummaryMarkdown(run);
  expect(text).toMatch(/generation_tokens.*\| 37K \| 1850 \|/);
  expect(text).not.toContain('with samples only');
});

test('JSON contains the seconds that the values of each endpoint cover', () => {
  expect(buildSummaryDocument(run).endpoints).toMatchObject([
    { covered_seconds: 7 },
    { covered_seconds: 20 },
  ]);
});

test('the report names the endpoints whose values cover only a part of the run', async () => {
  const { notes } = await buildReport(run);
  expect(notes[0]).toBe('Rates and averages cover only the time with samples: localhost:8000 7 s of 20 s.');
});
