import type { Report } from '../rules/findings.ts';
import { EncodingError, UnreadableError } from '../source/source.ts';
import { describeSystemError } from '../systemError.ts';

/** Reports an error for which `isSourceError` returns true. */
export function reportReadError(report: Report, error: Error): void {
  const rule = error instanceof EncodingError ? 'text-encoding' : 'file-unreadable';
  report(rule, [], describeReadError(error));
}

/** Describes a read error. Errors of the file system get a message with the path and the reason. */
function describeReadError(error: Error): string {
  if (error instanceof UnreadableError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  const fix = code === 'ENOENT' ? '; check the path' : '';
  return `cannot read ${path ?? 'the file'}: ${describeSystemError(error)}${fix}`;
}
