import { statSync } from 'node:fs';
import { type GrowingSource, openFile } from './byteSource.ts';
import { DamageLog } from './damage.ts';
import { HEADER_BYTES } from './format.ts';
import { describeTail, RecordDecoder } from './reader.ts';
import { RecordScanner } from './recordScanner.ts';
import { type Replay, ReplayBuilder } from './replay.ts';

/** An open journal, and what has been read from it. */
interface OpenJournal {
  readonly source: GrowingSource;
  readonly scanner: RecordScanner;
  readonly decoder: RecordDecoder;
  readonly damage: DamageLog;
  readonly builder: ReplayBuilder;
  /** Identifies the file, as opposed to a later file of the same name. */
  readonly file: bigint;
}

/**
 * Reads the journal of an active run again and again. Each call of `read` reads only the bytes that were appended since
 * the last call. An incomplete record at the end is read once the writer has completed it.
 */
export class JournalFollower {
  readonly path: string;
  #journal: OpenJournal | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Reads what was appended. Returns undefined as long as the file has no complete header. If the file was replaced, or
   * is shorter than what has been read, it is read again from its start.
   *
   * @throws JournalError if the file is not a journal, and the system error of `node:fs` if it cannot be read
   */
  read(): Replay | undefined {
    this.#journal = this.#journal && this.#canContinue(this.#journal) ? this.#journal : this.#open();
    if (!this.#journal) return undefined;
    const { source, scanner, decoder, damage, builder } = this.#journal;
    for (const record of decoder.decode()) builder.add(record);
    return builder.build(describeTail(scanner, damage, source.size));
  }

  close(): void {
    this.#journal?.source.close();
    this.#journal = undefined;
  }

  #canContinue({ source, scanner, file }: OpenJournal): boolean {
    scanner.resume();
    return statSync(this.path, { bigint: true }).ino === file && source.refresh();
  }

  #open(): OpenJournal | undefined {
    this.close();
    const { ino, size } = statSync(this.path, { bigint: true });
    // A file without a complete header is not necessarily damaged: its writer may have just created it.
    if (size <= HEADER_BYTES) return undefined;
    const source = openFile(this.path);
    try {
      const damage = new DamageLog();
      const scanner = new RecordScanner(source, this.path, damage);
      const decoder = new RecordDecoder(scanner, damage);
      return { source, scanner, decoder, damage, builder: new ReplayBuilder(), file: ino };
    } catch (error) {
      source.close();
      throw error;
    }
  }
}
