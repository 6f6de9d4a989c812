import { stringifyJson } from '../json/jsonWriter.ts';
import { countText, documentName, type Outcome, sentence } from './outcome.ts';

/** For programs: everything, with exact integers. */
export function jsonReport(outcomes: readonly Outcome[]): string {
  const files = outcomes.map(({ file, validation }) => ({ file, ...validation }));
  const valid = files.every(file => file.valid);
  return `${stringifyJson({ valid, files }, 2)}\n`;
}

/** For CI systems that show test results: a suite for each file, a failing case for each error. */
export function junitReport(outcomes: readonly Outcome[], strict: boolean): string {
  const suites = outcomes.map(outcome => suite(outcome, strict)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="formats">\n${suites}</testsuites>\n`;
}

function suite({ file, validation }: Outcome, strict: boolean): string {
  const { issues, moreIssues } = validation;
  const failures = issues.filter(issue => strict || issue.severity === 'error');
  const warnings = issues.filter(issue => !failures.includes(issue)).map(sentence);
  const cases = failures.map(
    issue =>
      `    <testcase classname="${xml(file)}" name="${xml(`${issue.rule} ${issue.path}`)}">\n` +
      `      <failure type="${xml(issue.rule)}" message="${xml(sentence(issue))}"/>\n    </testcase>\n`,
  );
  if (cases.length === 0)
    cases.push(`    <testcase classname="${xml(file)}" name="${xml(documentName(validation))}"/>\n`);
  const notes = moreIssues > 0 ? [...warnings, countText(validation)] : warnings;
  const output = notes.length > 0 ? `    <system-out>${xml(notes.join('\n'))}</system-out>\n` : '';
  const counts = `tests="${cases.length}" failures="${failures.length}"`;
  return `  <testsuite name="${xml(file)}" ${counts}>\n${cases.join('')}${output}  </testsuite>\n`;
}

/** XML text; characters that XML 1.0 cannot hold at all are replaced. */
function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    // As they are, an attribute would have spaces in their place.
    '\t': '&#9;',
    '\n': '&#10;',
    '\r': '&#13;',
  };
  return text
    .replace(/[&<>"\t\n\r]/g, character => entities[character]!)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** Annotations of GitHub Actions: shown beside the line of the file. */
export function githubReport(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ file, validation }) =>
      validation.issues.map(issue => {
        const line = issue.line === undefined ? '' : `,line=${issue.line}`;
        const place = `file=${property(file)}${line},title=${property(issue.rule)}`;
        return `::${issue.severity} ${place}::${message(sentence(issue))}\n`;
      }),
    )
    .join('');
}

function message(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return message(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
