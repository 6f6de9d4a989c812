import type { Issue } from '../validate/issue.ts';
import type { Validation } from '../validate/validate.ts';

/** What became of one file. */
export interface Outcome {
  readonly file: string;
  readonly validation: Validation;
}

/** A document in words: `server-metrics 1.0`. */
export function documentName({ document, version }: Validation): string {
  if (document === 'unknown') return 'no known document';
  return version === null ? document : `${document} ${version}`;
}

/** `2 errors, 1 warning`, with those that are not listed. */
export function countText({ issues, moreIssues }: Validation): string {
  const errors = issues.filter(issue => issue.severity === 'error').length;
  const parts = [plural(errors, 'error'), plural(issues.length - errors, 'warning')].filter(Boolean);
  if (moreIssues > 0) parts.push(`${moreIssues.toLocaleString('en-US')} more`);
  return parts.join(', ');
}

export function plural(count: number, noun: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Place and message in one line. */
export function sentence(issue: Issue): string {
  return `${issue.path} ${issue.message}`;
}

/**
 * A text from a file, safe to print: control and direction characters, with which a file could move the cursor
 * or hide what it says, become escapes.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}
