import { styleText } from 'node:util';
import { stringifyJson } from '../json/jsonWriter.ts';
import { formatPlace, formatProblem, type Issue } from '../validate/issue.ts';
import type { Validation } from '../validate/validate.ts';

/** Format of the validation report. */
export type ReportFormat = 'human' | 'json' | 'junit' | 'github';

/** A file and its validation result. */
export interface Outcome {
  readonly file: string;
  readonly validation: Validation;
}

/** Options of `formatReport`. */
export interface ReportOptions {
  readonly format: ReportFormat;
  /** Report warnings as failures in the JUnit format. */
  readonly strict: boolean;
  /** Color the human-readable report. */
  readonly color: boolean;
}

/** Formats the results of all files as a report. The report ends with a line feed, unless it is empty. */
export function formatReport(outcomes: readonly Outcome[], { format, strict, color }: ReportOptions): string {
  switch (format) {
    case 'json':
      return formatJsonReport(outcomes);
    case 'junit':
      return formatJunitReport(outcomes, strict);
    case 'github':
      return formatGithubReport(outcomes);
    default:
      return formatHumanReport(outcomes, color);
  }
}

/** Formats a document kind and version, such as `server-metrics 1.0`. */
export function formatDocument({ document, version }: Validation): string {
  if (document === 'unknown') return 'unknown document';
  if (document === 'not-checked') return "AIPerf's, not checked";
  return version === null ? document : `${document} ${version}`;
}

/** Formats the numbers of findings, such as `2 errors, 1 warning, 40 more`. */
export function formatCounts({ issues, moreIssues }: Validation): string {
  const errors = issues.filter(issue => issue.severity === 'error').length;
  const counts = [pluralize(errors, 'error'), pluralize(issues.length - errors, 'warning')].filter(Boolean);
  if (moreIssues > 0) counts.push(`${moreIssues.toLocaleString('en-US')} more`);
  return counts.join(', ');
}

/** Formats a count and a noun, such as `2 errors`; an empty string for 0. */
export function pluralize(count: number, noun: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Escapes control and format characters, which could move the cursor or hide text in a terminal.
 */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}

/** Maximum number of findings to list for a file in the human-readable report. */
const MAX_LISTED_ISSUES = 50;

type Style = Parameters<typeof styleText>[0];

/** Formats a human-readable report: for each file, one line followed by its findings. */
function formatHumanReport(outcomes: readonly Outcome[], color: boolean): string {
  const paint = (style: Style, text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const files = outcomes.map(outcome => formatFile(outcome, paint));
  return outcomes.length > 1 ? `${files.join('')}${formatTotal(outcomes)}` : files.join('');
}

type Paint = (style: Style, text: string) => string;

function formatFile({ file, validation }: Outcome, paint: Paint): string {
  const { issues, valid } = validation;
  if (!isChecked(validation)) return `- ${escapeControls(file)}  ${formatDocument(validation)}\n`;
  const mark = valid ? paint('green', '✓') : paint('red', '✗');
  const unreadable = findReadError(validation);
  if (unreadable) return `${mark} ${escapeControls(file)}  ${formatMessage(unreadable, paint)}\n`;
  const counts = formatCounts(validation);
  const head = `${mark} ${escapeControls(file)}  ${escapeControls(formatDocument(validation))}${counts ? `: ${counts}` : ''}\n`;
  if (issues.length === 0) return head;
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map(issue => formatFinding(issue, paint));
  const omitted = issues.length - listed.length + validation.moreIssues;
  const more = omitted > 0 ? `\n  and ${pluralize(omitted, 'more finding')}; --json lists up to 1,000\n` : '';
  return `${head}${listed.join('')}${more}\n`;
}

function formatFinding(issue: Issue, paint: Paint): string {
  const line = issue.line === undefined || issue.place.startsWith('line ') ? '' : `line ${issue.line}  `;
  const severity = issue.severity === 'error' ? paint('red', 'error') : paint('yellow', 'warning');
  const place = `${line}${paint('bold', escapeControls(formatPlace(issue)))}`.trimEnd();
  return `\n  ${place}\n    ${severity}: ${formatMessage(issue, paint)}\n`;
}

function formatMessage({ message, rule }: Issue, paint: Paint): string {
  return `${escapeControls(message)} ${paint('dim', `(${rule})`)}`;
}

/** Returns the only issue of a file that cannot be read. Such a file is neither valid nor invalid. */
export function findReadError({ issues }: Validation): Issue | undefined {
  return issues.find(({ rule }) => rule === 'file-unreadable');
}

/** Reports whether a file is checked, unlike AIPerf's own files. */
function isChecked({ document }: Validation): boolean {
  return document !== 'not-checked';
}

function formatTotal(outcomes: readonly Outcome[]): string {
  const checked = outcomes.filter(({ validation }) => isChecked(validation));
  const valid = checked.filter(({ validation }) => validation.valid).length;
  const unreadable = outcomes.filter(({ validation }) => findReadError(validation)).length;
  const invalid = checked.length - valid - unreadable;
  const unchecked = outcomes.length - checked.length;
  const more =
    (unreadable === 0 ? '' : `, ${unreadable} unreadable`) +
    (unchecked === 0 ? '' : `, ${unchecked} not checked`);
  return `${pluralize(outcomes.length, 'file')}: ${valid} valid, ${invalid} invalid${more}\n`;
}

/** Formats all findings as JSON, with exact integers. */
function formatJsonReport(outcomes: readonly Outcome[]): string {
  const files = outcomes.map(({ file, validation }) => ({ file, ...validation }));
  const valid = files.every(file => file.valid);
  return `${stringifyJson({ valid, files }, 2)}\n`;
}

/** Formats a JUnit report for CI systems, with a test suite for each file and a failed test case for each error. */
function formatJunitReport(outcomes: readonly Outcome[], strict: boolean): string {
  const suites = outcomes.map(outcome => formatSuite(outcome, strict)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="servelens-validate">\n${suites}</testsuites>\n`;
}

function formatSuite({ file, validation }: Outcome, strict: boolean): string {
  const { issues, moreIssues } = validation;
  const failures = issues.filter(issue => strict || issue.severity === 'error');
  const warnings = issues.filter(issue => !failures.includes(issue)).map(formatProblem);
  const cases = failures.map(
    issue =>
      `    <testcase classname="${escapeXml(file)}" name="${escapeXml(`${issue.rule} ${issue.place}`)}">\n` +
      `      <failure type="${escapeXml(issue.rule)}" message="${escapeXml(formatProblem(issue))}"/>\n    </testcase>\n`,
  );
  if (cases.length === 0)
    cases.push(
      `    <testcase classname="${escapeXml(file)}" name="${escapeXml(formatDocument(validation))}"/>\n`,
    );
  const notes = moreIssues > 0 ? [...warnings, formatCounts(validation)] : warnings;
  const output = notes.length > 0 ? `    <system-out>${escapeXml(notes.join('\n'))}</system-out>\n` : '';
  const counts = `tests="${cases.length}" failures="${failures.length}"`;
  return `  <testsuite name="${escapeXml(file)}" ${counts}>\n${cases.join('')}${output}  </testsuite>\n`;
}

/** Escapes text for XML. Characters that XML 1.0 does not allow are replaced with U+FFFD. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    // XML parsers replace unescaped tabs and line breaks in attributes with spaces.
    '\t': '&#9;',
    '\n': '&#10;',
    '\r': '&#13;',
  };
  return text
    .replace(/[&<>"\t\n\r]/g, character => entities[character]!)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** Formats findings as GitHub Actions annotations, which GitHub shows at the line of the file. */
function formatGithubReport(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ file, validation }) =>
      validation.issues.map(issue => {
        const line = issue.line === undefined ? '' : `,line=${issue.line}`;
        const place = `file=${escapeProperty(file)}${line},title=${escapeProperty(issue.rule)}`;
        return `::${issue.severity} ${place}::${escapeMessage(formatProblem(issue))}\n`;
      }),
    )
    .join('');
}

/** Escapes the message of an annotation. */
function escapeMessage(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

/** Escapes a property of an annotation, such as the file name. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
