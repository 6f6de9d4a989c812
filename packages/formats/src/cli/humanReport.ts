import { styleText } from 'node:util';
import type { Issue } from '../validate/issue.ts';
import { countText, documentName, type Outcome, plural, printable } from './outcome.ts';

/** More than this many findings of one file are counted: nobody reads the rest. */
const shownIssues = 50;

type Style = Parameters<typeof styleText>[0];

/** For people: one line a file, and below a bad one what is wrong with it. */
export function humanReport(outcomes: readonly Outcome[], color: boolean): string {
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const files = outcomes.map(outcome => fileText(outcome, paint));
  return outcomes.length > 1 ? `${files.join('')}${totalText(outcomes)}` : files.join('');
}

type Paint = (style: Style, text: string) => string;

function fileText({ file, validation }: Outcome, paint: Paint): string {
  const { issues, valid } = validation;
  const mark = valid ? paint('green', '✓') : paint('red', '✗');
  const counts = countText(validation);
  const head = `${mark} ${printable(file)}  ${printable(documentName(validation))}${counts ? `: ${counts}` : ''}\n`;
  if (issues.length === 0) return head;
  const shown = issues.slice(0, shownIssues).map(issue => issueText(issue, paint));
  const rest = issues.length - shown.length + validation.moreIssues;
  const more = rest > 0 ? `\n  and ${plural(rest, 'more finding')}, which --json lists up to 1,000 of\n` : '';
  return `${head}${shown.join('')}${more}\n`;
}

function issueText(issue: Issue, paint: Paint): string {
  const line = issue.line === undefined || issue.path.startsWith('line ') ? '' : `line ${issue.line}  `;
  const severity = issue.severity === 'error' ? paint('red', 'error') : paint('yellow', 'warning');
  const rule = paint('dim', `(${issue.rule})`);
  return `\n  ${line}${paint('bold', printable(issue.path))}\n    ${severity}: ${printable(issue.message)} ${rule}\n`;
}

function totalText(outcomes: readonly Outcome[]): string {
  const valid = outcomes.filter(({ validation }) => validation.valid).length;
  return `${plural(outcomes.length, 'file')}: ${valid} valid, ${outcomes.length - valid} invalid\n`;
}
