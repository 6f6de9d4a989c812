import { statSync } from 'node:fs';
import { JournalFollower } from '@org/scrape';
import { type RecoveredRun, toRecoveredRun, withJournalErrors } from '../journal/recoverRun.ts';

/** The journal of an active run, read again and again. Only appended bytes are read. */
export class FollowedJournal {
  readonly path: string;
  readonly #follower: JournalFollower;

  constructor(path: string) {
    this.path = path;
    this.#follower = new JournalFollower(path);
  }

  /**
   * Reads what was appended. Returns undefined if the journal was deleted, or does not describe its run yet.
   *
   * @throws RunInputError if the file cannot be read or is not a journal
   */
  read(): RecoveredRun | undefined {
    if (!statSync(this.path, { throwIfNoEntry: false })) return undefined;
    const replay = withJournalErrors(this.path, () => this.#follower.read());
    return replay?.run === undefined ? undefined : toRecoveredRun(this.path, replay);
  }

  /** The time of the last write, in milliseconds since 1970; undefined if the journal was deleted. */
  get writtenMs(): number | undefined {
    return statSync(this.path, { throwIfNoEntry: false })?.mtimeMs;
  }

  close(): void {
    this.#follower.close();
  }
}
