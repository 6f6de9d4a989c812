import { formatCount } from '@org/core';
import type { JournalCheck, JournalRule } from '@org/formats';
import { JournalError, type JournalRecord, readJournal } from '@org/scrape';

type Report = (rule: JournalRule, message: string) => void;

/** Checks every record of a journal. */
export const checkJournal: JournalCheck = (journal, report) => {
  const records = readJournal(journal);
  const checker = new RecordChecker(report);
  try {
    for (const record of records) checker.check(record);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    report('journal-invalid', `cannot be read: ${error.message}`);
    return;
  }
  const { state, message } = records.tail!;
  if (state === 'corrupted') report('journal-invalid', `is damaged: ${message}`);
  if (state === 'truncated') report('journal-incomplete', `is incomplete: ${message}`);
  if (state === 'complete' && message !== '')
    report('journal-incomplete', `is damaged without loss: ${message}`);
  checker.finish(state === 'complete');
};

/** Checks the order and the completeness of records. */
class RecordChecker {
  readonly #report: Report;
  readonly #lastNs = new Map<number, bigint>();
  #count = 0;
  #hasEnded = false;
  #missedFrames = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  check(record: JournalRecord): void {
    if (this.#count++ === 0 && record.kind !== 'run')
      this.#report('journal-run', 'does not start with the description of the run, so it cannot be exported');
    if (this.#hasEnded) this.#report('journal-order', 'has records after the end of the run');
    if (record.kind === 'frame') this.#checkFrame(record.endpoint, record.frame.timestampNs);
    else if (record.kind === 'gap') this.#missedFrames = record.missedFrames;
    else if (record.kind === 'end') this.#hasEnded = true;
  }

  #checkFrame(endpoint: number, timestampNs: bigint): void {
    const lastNs = this.#lastNs.get(endpoint);
    if (lastNs !== undefined && timestampNs <= lastNs)
      this.#report(
        'journal-order',
        `has a scrape of endpoint ${endpoint} at ${timestampNs}, which is not after the previous one (${lastNs})`,
      );
    this.#lastNs.set(endpoint, timestampNs);
  }

  /** @param isComplete whether the file ends with a complete record */
  finish(isComplete: boolean): void {
    if (this.#count === 0 && isComplete) this.#report('journal-run', 'has no records');
    if (this.#missedFrames > 0)
      this.#report(
        'journal-incomplete',
        `lacks ${formatCount(this.#missedFrames, 'scrape')} that could not be written`,
      );
    if (!this.#hasEnded && isComplete)
      this.#report('journal-incomplete', 'has no end: the run is active or was killed');
  }
}
