import { ParquetError } from '../error.ts';
import type { ChunkLayout } from './footer.ts';
import { HybridDecoder } from './hybrid.ts';
import { type Page, PageReader } from './page.ts';
import type { MemoryBudget, Source } from './source.ts';

/** Reads a column chunk in batches, page by page. */
export abstract class ChunkReader {
  protected page: Page | undefined;
  readonly #pages: PageReader;
  readonly #budget: MemoryBudget;
  readonly #name: string;
  readonly #isOptional: boolean;
  /** Number of unread rows of the current page. */
  #unreadRows = 0;
  #levels: HybridDecoder | undefined;
  #dictionaryCost = 0;

  constructor(source: Source, chunk: ChunkLayout, name: string, isOptional: boolean, budget: MemoryBudget) {
    this.#pages = new PageReader(source, chunk, isOptional, budget);
    this.#budget = budget;
    this.#name = name;
    this.#isOptional = isOptional;
  }

  /** Discards the page and the dictionary, and returns their memory to the budget. */
  release(): void {
    this.#budget.release((this.page?.cost ?? 0) + this.#dictionaryCost);
    this.page = undefined;
    this.#dictionaryCost = 0;
  }

  protected abstract openDictionary(page: Page): void;
  protected abstract openPage(page: Page): void;

  /**
   * Advances by `rows` rows. Calls `take` for each range of rows within one page, with the first row, the
   * number of rows, the definition levels (undefined if the range has no nulls) and the number of values that
   * are not null.
   */
  protected async advance(
    rows: number,
    take: (from: number, length: number, levels: Uint8Array | undefined, present: number) => void,
  ): Promise<void> {
    let from = 0;
    while (from < rows) {
      if (this.#unreadRows === 0) {
        await this.#nextPage(rows - from);
        continue;
      }
      const length = Math.min(this.#unreadRows, rows - from);
      try {
        this.#takeRange(from, length, take);
      } catch (error) {
        throw this.#addColumnName(error);
      }
      this.#unreadRows -= length;
      from += length;
    }
  }

  #takeRange(
    from: number,
    length: number,
    take: (from: number, length: number, levels: Uint8Array | undefined, present: number) => void,
  ): void {
    if (!this.#levels) {
      take(from, length, undefined, length);
      return;
    }
    const levels = new Uint8Array(length);
    this.#levels.read(levels, 0, length);
    let present = 0;
    for (let i = 0; i < length; i++) present += levels[i]!;
    take(from, length, present === length ? undefined : levels, present);
  }

  async #nextPage(missingRows: number): Promise<void> {
    this.#budget.release(this.page?.cost ?? 0);
    this.page = undefined;
    try {
      const page = await this.#pages.next();
      if (!page) throw new ParquetError('page', `the column chunk ends ${missingRows} rows early`);
      if (page.isDictionary) {
        // The dictionary is counted twice: the page, which the decoder can refer to, and the decoded values.
        this.#budget.reserve(page.cost);
        this.#dictionaryCost += 2 * page.cost;
        this.openDictionary(page);
        return;
      }
      this.page = page;
      this.#unreadRows = page.values;
      this.#levels = this.#isOptional ? new HybridDecoder(page.levels, 1) : undefined;
      this.openPage(page);
    } catch (error) {
      throw this.#addColumnName(error);
    }
  }

  #addColumnName(error: unknown): unknown {
    if (!(error instanceof ParquetError)) return error;
    return new ParquetError(error.code, `column ${JSON.stringify(this.#name)}: ${error.message}`, {
      cause: error,
    });
  }
}
