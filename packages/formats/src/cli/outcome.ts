import type { Issue } from '../validate/issue.ts';
import type { Validation } from '../validate/validate.ts';

/** A file and its validation result. */
export interface Outcome {
  readonly file: string;
  readonly validation: Validation;
}

/** Formats a document kind and version, such as `server-metrics 1.0`. */
export function formatDocument({ document, version }: Validation): string {
  if (document === 'unknown') return 'unknown document';
  return version === null ? document : `${document} ${version}`;
}

/** Formats the number of findings, such as `2 errors, 1 warning, 40 more`. */
export function formatCounts({ issues, moreIssues }: Validation): string {
  const errors = issues.filter(issue => issue.severity === 'error').length;
  const parts = [pluralize(errors, 'error'), pluralize(issues.length - errors, 'warning')].filter(Boolean);
  if (moreIssues > 0) parts.push(`${moreIssues.toLocaleString('en-US')} more`);
  return parts.join(', ');
}

export function pluralize(count: number, noun: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats the place and message of a finding on one line. */
export function formatIssue(issue: Issue): string {
  return `${issue.path} ${issue.message}`;
}

/**
 * Makes text from a file safe to print: escapes control and bidirectional characters, which could move the cursor or
 * hide text.
 */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}
