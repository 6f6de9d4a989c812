import { styleText } from 'node:util';
import type { Issue } from '../validate/issue.ts';
import { escapeControls, formatCounts, formatDocument, type Outcome, pluralize } from './outcome.ts';

/** Further findings of a file are counted, not listed. */
const MAX_LISTED_ISSUES = 50;

type Style = Parameters<typeof styleText>[0];

/** Formats a report for people: one line per file, followed by the findings. */
export function formatHumanReport(outcomes: readonly Outcome[], color: boolean): string {
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const files = outcomes.map(outcome => formatFile(outcome, paint));
  return outcomes.length > 1 ? `${files.join('')}${formatTotal(outcomes)}` : files.join('');
}

type Paint = (style: Style, text: string) => string;

function formatFile({ file, validation }: Outcome, paint: Paint): string {
  const { issues, valid } = validation;
  const mark = valid ? paint('green', '✓') : paint('red', '✗');
  const counts = formatCounts(validation);
  const head = `${mark} ${escapeControls(file)}  ${escapeControls(formatDocument(validation))}${counts ? `: ${counts}` : ''}\n`;
  if (issues.length === 0) return head;
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map(issue => formatFinding(issue, paint));
  const rest = issues.length - listed.length + validation.moreIssues;
  const more = rest > 0 ? `\n  and ${pluralize(rest, 'more finding')}; --json lists up to 1,000\n` : '';
  return `${head}${listed.join('')}${more}\n`;
}

function formatFinding(issue: Issue, paint: Paint): string {
  const line = issue.line === undefined || issue.path.startsWith('line ') ? '' : `line ${issue.line}  `;
  const severity = issue.severity === 'error' ? paint('red', 'error') : paint('yellow', 'warning');
  const rule = paint('dim', `(${issue.rule})`);
  return `\n  ${line}${paint('bold', escapeControls(issue.path))}\n    ${severity}: ${escapeControls(issue.message)} ${rule}\n`;
}

function formatTotal(outcomes: readonly Outcome[]): string {
  const valid = outcomes.filter(({ validation }) => validation.valid).length;
  return `${pluralize(outcomes.length, 'file')}: ${valid} valid, ${outcomes.length - valid} invalid\n`;
}
