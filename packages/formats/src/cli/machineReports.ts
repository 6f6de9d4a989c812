import { stringifyJson } from '../json/jsonWriter.ts';
import { formatCounts, formatDocument, formatIssue, type Outcome } from './outcome.ts';

/** Formats all findings as JSON, with exact integers. */
export function formatJsonReport(outcomes: readonly Outcome[]): string {
  const files = outcomes.map(({ file, validation }) => ({ file, ...validation }));
  const valid = files.every(file => file.valid);
  return `${stringifyJson({ valid, files }, 2)}\n`;
}

/** Formats a JUnit report for CI systems: a test suite per file, a failed test case per error. */
export function formatJunitReport(outcomes: readonly Outcome[], strict: boolean): string {
  const suites = outcomes.map(outcome => formatSuite(outcome, strict)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="formats">\n${suites}</testsuites>\n`;
}

function formatSuite({ file, validation }: Outcome, strict: boolean): string {
  const { issues, moreIssues } = validation;
  const failures = issues.filter(issue => strict || issue.severity === 'error');
  const warnings = issues.filter(issue => !failures.includes(issue)).map(formatIssue);
  const cases = failures.map(
    issue =>
      `    <testcase classname="${escapeXml(file)}" name="${escapeXml(`${issue.rule} ${issue.path}`)}">\n` +
      `      <failure type="${escapeXml(issue.rule)}" message="${escapeXml(formatIssue(issue))}"/>\n    </testcase>\n`,
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

/** Escapes text for XML. Characters that XML 1.0 does not allow are replaced. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    // XML parsers replace unescaped white space in attributes with spaces.
    '\t': '&#9;',
    '\n': '&#10;',
    '\r': '&#13;',
  };
  return text
    .replace(/[&<>"\t\n\r]/g, character => entities[character]!)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** Formats annotations for GitHub Actions, which are shown next to the line of the file. */
export function formatGithubReport(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ file, validation }) =>
      validation.issues.map(issue => {
        const line = issue.line === undefined ? '' : `,line=${issue.line}`;
        const place = `file=${escapeProperty(file)}${line},title=${escapeProperty(issue.rule)}`;
        return `::${issue.severity} ${place}::${escapeMessage(formatIssue(issue))}\n`;
      }),
    )
    .join('');
}

function escapeMessage(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
