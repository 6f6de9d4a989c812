import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { escapeText } from '../svg/markup.ts';
import { PAPER, writePaletteStyle } from '../svg/palette.ts';
import { writeSweepPage } from '../sweep/html/sweepPage.ts';
import type { RunSetDocument } from '../sweep/runSetDocument.ts';
import { readAsset } from './assets.ts';
import type { ComparisonDocument } from './comparison/document.ts';
import { writeComparisonPage } from './comparison/html/comparisonPage.ts';
import type { ReportDocument } from './document.ts';
import { writeRunPage } from './html/runPage.ts';

/** The parts of a report that the script of the page of a run uses. Everything else is written as markup. */
export type RunPageData = Pick<ReportDocument, 'endpoints' | 'series'> &
  Partial<Pick<ReportDocument, 'client' | 'timeline' | 'comparison' | 'requests'>>;

/** The parts of a report that the script of the page of a sweep uses. */
export type SweepPageData = Pick<
  RunSetDocument,
  'data' | 'comparison' | 'columns' | 'client' | 'servers' | 'more'
>;

/** The part of a comparison that the script of its page uses. */
export type ComparisonPageData = Pick<ComparisonDocument, 'strips'>;

/**
 * Renders a report as a self-contained HTML page. The Content-Security-Policy allows only the embedded script and style
 * sheet, by hash, and no network access.
 */
export function renderPage(report: ReportDocument | RunSetDocument | ComparisonDocument): string {
  return writePage(report, selectContent(report));
}

function selectContent(report: ReportDocument | RunSetDocument | ComparisonDocument): PageContent {
  if (!('kind' in report)) return { script: 'run.js', body: writeRunPage(report), data: toPageData(report) };
  if (report.kind === 'comparison')
    return {
      script: 'comparison.js',
      style: readAsset('comparison.css'),
      body: writeComparisonPage(report),
      data: { ...(report.strips && { strips: report.strips }) },
    };
  return {
    script: 'runSet.js',
    style: readAsset('runSet.css'),
    body: writeSweepPage(report),
    data: toSweepPageData(report),
  };
}

/** The content of a page, except its title and the style sheet of all pages. */
export interface PageContent {
  /** Name of the script. */
  readonly script: string;
  readonly style?: string;
  /** Markup whose text is escaped. */
  readonly body: string;
  /** The data that the script reads. */
  readonly data: unknown;
  /** Directives that are added to the Content-Security-Policy. */
  readonly policy?: string;
}

/** Writes a page with its script, style sheet and data. */
export function writePage(
  report: Pick<ReportDocument, 'title' | 'subtitle'>,
  { script: name, style: added = '', body, data, policy: directives = '' }: PageContent,
): string {
  const script = readAsset(name);
  const style = `${readAsset('page.css')}${CHART_COLORS}${writePrintHeader(report)}${added}`;
  const policy = `default-src 'none'; ${directives}script-src ${hashSource(script)}; style-src ${hashSource(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeText(report.title)} · servelens report</title>
<style>${style}</style>
</head>
<body>
${body}
<script type="text/plain" id="report">${compress(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The colors of charts, which follow the theme of the page. */
const CHART_COLORS = `:root{--paper:light-dark(${PAPER.join(',')})}${writePaletteStyle(
  colors => `light-dark(${colors.join(',')})`,
)}`;

/** Names the run at the top of each printed page. */
function writePrintHeader({ title, subtitle }: Pick<ReportDocument, 'title' | 'subtitle'>): string {
  return `@page{@top-left{content:${quoteCss(`${title} · ${subtitle}`)}}}`;
}

/** Quotes text for a style sheet. Everything except letters, digits and spaces is escaped, so that no text can end the style. */
function quoteCss(text: string): string {
  const escaped = text.replace(
    /[^A-Za-z0-9 ]/gu,
    character => `\\${character.codePointAt(0)!.toString(16)} `,
  );
  return `"${escaped}"`;
}

function toSweepPageData(report: RunSetDocument): SweepPageData {
  const { data, comparison, columns, client, servers, more } = report;
  return { data, columns, client, servers, more, ...(comparison && { comparison }) };
}

/** Selects the data that the script of the page of a run uses. */
export function toPageData({
  endpoints,
  series,
  client,
  timeline,
  comparison,
  requests,
}: ReportDocument): RunPageData {
  return {
    endpoints,
    series,
    ...(client && { client }),
    ...(timeline && { timeline }),
    ...(comparison && { comparison }),
    ...(requests && { requests }),
  };
}

/** Compresses a value as JSON, in base64. Repeated keys and numbers are most of the data of a page. */
function compress(value: unknown): string {
  return deflateSync(JSON.stringify(value), { level: 9 }).toString('base64');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
