import { formatCount } from '@org/core';

/** The damage to a journal and what it cost. */
export interface JournalDamage {
  /** Number of places without a readable record. One record may span several damaged places. */
  readonly unreadablePlaces: number;
  /** Total size of these places, in bytes. */
  readonly unreadableBytes: number;
  /** Number of records in which one wrong byte was found and corrected. */
  readonly repairedRecords: number;
  /**
   * Number of scrapes that are known to be lost: they are missing, encoded as a difference from a lost scrape,
   * or have values of series that are lost.
   */
  readonly lostFrames: number;
  /** Number of scrapes that the file contains more than once. The repetitions are skipped. */
  readonly repeatedFrames: number;
}

/** Collects the damage to a journal while it is read. */
export class DamageLog {
  #unreadablePlaces = 0;
  #unreadableBytes = 0;
  #repairedRecords = 0;
  #lostFrames = 0;
  #repeatedFrames = 0;
  #firstReason = '';
  #firstRepairAt: number | undefined;

  /** Adds a place without a readable record. */
  addUnreadable(at: number, bytes: number, reason: string): void {
    this.#unreadablePlaces++;
    this.#unreadableBytes += bytes;
    this.#addReason(at, reason);
  }

  addRepaired(at: number): void {
    this.#repairedRecords++;
    this.#firstRepairAt ??= at;
  }

  /** Adds scrapes that are lost because of an earlier damage. */
  addLostFrames(count: number, at: number, reason: string): void {
    this.#lostFrames += count;
    this.#addReason(at, reason);
  }

  addRepeatedFrame(): void {
    this.#repeatedFrames++;
  }

  /** True if data is lost. */
  get hasLoss(): boolean {
    return this.#unreadablePlaces > 0 || this.#lostFrames > 0;
  }

  /** Returns the damage; undefined if there is none. */
  get damage(): JournalDamage | undefined {
    if (!this.hasLoss && this.#repairedRecords === 0 && this.#repeatedFrames === 0) return undefined;
    return {
      unreadablePlaces: this.#unreadablePlaces,
      unreadableBytes: this.#unreadableBytes,
      repairedRecords: this.#repairedRecords,
      lostFrames: this.#lostFrames,
      repeatedFrames: this.#repeatedFrames,
    };
  }

  /** Describes the damage and its cost; empty if there is none. */
  get message(): string {
    return [
      this.#firstReason,
      this.#unreadablePlaces > 0
        ? `${this.#unreadableBytes} bytes in ${formatCount(this.#unreadablePlaces, 'place')} are unreadable`
        : '',
      this.#lostFrames > 0
        ? `${formatCount(this.#lostFrames, 'scrape')} ${this.#lostFrames === 1 ? 'is' : 'are'} lost`
        : '',
      this.#repairedRecords > 0
        ? `repaired ${formatCount(this.#repairedRecords, 'record')} with one wrong byte, the first at byte ${this.#firstRepairAt}`
        : '',
      this.#repeatedFrames > 0 ? `skipped ${formatCount(this.#repeatedFrames, 'repeated scrape')}` : '',
    ]
      .filter(Boolean)
      .join('; ');
  }

  #addReason(at: number, reason: string): void {
    if (this.#firstReason === '') this.#firstReason = `${reason}, in the record at byte ${at}`;
  }
}
