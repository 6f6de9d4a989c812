import { RULE_SEVERITIES } from '../generated/ruleSeverities.ts';
import type { Findings } from '../rules/findings.ts';
import type { Source } from '../source/source.ts';

/** The first bytes of a journal. */
const MAGIC = [0x89, 0x53, 0x4c, 0x4a, 0x0d, 0x0a, 0x1a, 0x0a];

/** Rules for journals. */
export type JournalRule = 'journal-invalid' | 'journal-incomplete' | 'journal-run' | 'journal-order';

/**
 * Checks a journal, given as its path or bytes, and passes each problem to `report`. This package detects
 * journals, but their reader is a part of Servelens that it does not depend on.
 */
export type JournalCheck = (
  journal: string | Uint8Array,
  report: (rule: JournalRule, message: string) => void,
) => void;

/** Reports whether data starts like a journal. */
export function isJournal(head: Uint8Array): boolean {
  return MAGIC.every((byte, index) => head[index] === byte);
}

/** Validates a journal. Without `check`, it is reported as unknown. */
export async function validateJournal(
  findings: Findings,
  source: Source,
  check: JournalCheck | undefined,
): Promise<void> {
  if (!check) {
    findings.report('document-unknown', [], 'is a journal; use servelens validate, which can read it');
    return;
  }
  check(source.file ?? (await source.bytes()), (rule, message) => {
    findings.take({ rule, severity: RULE_SEVERITIES[rule], path: [], place: 'the journal', message });
  });
}
