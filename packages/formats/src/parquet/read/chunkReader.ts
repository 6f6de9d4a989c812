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
  /** Number of rows of the page that are not read yet. */
  #left = 0;
  #levels: HybridDecoder | undefined;
  #dictionaryCost = 0;

  constructor(source: Source, chunk: ChunkLayout, name: string, isOptional: boolean, budget: MemoryBudget) {
    this.#pages = new PageReader(source, chunk, isOptional, budget);
    this.#budget = budget;
    this.#name = name;
    this.#isOptional = isOptional;
  }

  /** Releases the page and the dictionary. */
  release(): void {
    this.#budget.release((this.page?.cost ?? 0) + this.#dictionaryCost);
    this.page = undefined;
    this.#dictionaryCost = 0;
  }

  protected abstract openDictionary(page: Page): void;
  protected abstract openPage(page: Page): void;

  /**
   * Advances by `rows` rows. Calls `take` for each part within a page, with its first row and length, its definition levels
   * if it contains nulls, and its number of values.
   */
  protected async advance(
    rows: number,
    take: (from: number, length: number, levels: Uint8Array | undefined, present: number) => void,
  ): Promise<void> {
    let from = 0;
    while (from < rows) {
      if (this.#left === 0) {
        await this.#nextPage(rows - from);
        continue;
      }
      const length = Math.min(this.#left, rows - from);
      try {
        this.#takePart(from, length, take);
      } catch (error) {
        throw this.#addColumnName(error);
      }
      this.#left -= length;
      from += length;
    }
  }

  #takePart(
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

  async #nextPage(missing: number): Promise<void> {
    this.#budget.release(this.page?.cost ?? 0);
    this.page = undefined;
    try {
      const page = await this.#pages.next();
      if (!page) throw new ParquetError('page', `the column chunk ends ${missing} rows early`);
      if (page.isDictionary) {
        // Counted twice: as the page, which the decoder can refer to, and as values.
        this.#budget.reserve(page.cost);
        this.#dictionaryCost += 2 * page.cost;
        this.openDictionary(page);
        return;
      }
      this.page = page;
      this.#left = page.values;
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
