import { Findings } from '../rules/findings.ts';
import { isSourceError } from '../source/source.ts';
import { FormatError, type Issue } from './issue.ts';
import { reportReadError } from './readError.ts';

/** The result of a reader: the document, or the issues of a file that is invalid or unreadable. */
export type ReadResult<Document> =
  | { readonly ok: true; readonly document: Document }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Converts the promise of a reader to a result: `await toReadResult(readServerMetrics(input))`. Rejects only
 * for errors that the input did not cause.
 */
export async function toReadResult<Document>(reading: Promise<Document>): Promise<ReadResult<Document>> {
  try {
    return { ok: true, document: await reading };
  } catch (error) {
    if (error instanceof FormatError) return { ok: false, issues: error.issues };
    if (!isSourceError(error)) throw error;
    const findings = new Findings();
    reportReadError(findings.report, error);
    return { ok: false, issues: findings.kept };
  }
}
