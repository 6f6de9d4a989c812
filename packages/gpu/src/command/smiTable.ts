import { isBlank } from '../exporter/blankValues.ts';
import type { Platform } from '../metrics.ts';
import type { Gpu, GpuReading } from '../sample.ts';
import { parseCell, type Row, splitCells } from './csvTable.ts';

/** A column with values of GPUs. The first column of a field with a value is used. */
export interface ValueColumn {
  readonly name: string;
  readonly field: string;
  /** Factor from the unit of the column to the unit of the field. */
  readonly factor: number;
}

/** The columns of a command that prints a table of GPUs. */
export interface SmiColumns {
  readonly platform: Platform;
  /** Columns with the index of a GPU. A line that contains one of them is a header. */
  readonly index: readonly string[];
  readonly uuid: readonly string[];
  readonly model: readonly string[];
  readonly pciBusId: readonly string[];
  readonly device: string;
  readonly values: readonly ValueColumn[];
}

/**
 * Reads the lines of a command that prints a table of GPUs again and again. Columns are found by the names in the header,
 * so their order does not matter, and missing and additional columns are accepted.
 */
export class SmiTable {
  readonly #columns: SmiColumns;
  #header: readonly string[] | undefined;
  #invalidLines = 0;

  constructor(columns: SmiColumns) {
    this.#columns = columns;
  }

  /** Number of lines that were neither a header nor a row of the table. */
  get invalidLines(): number {
    return this.#invalidLines;
  }

  /** True after a header has been read. */
  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** Forgets the header, before the output of a restarted command. */
  reset(): void {
    this.#header = undefined;
  }

  /** Reads a line. Returns undefined for a header, an empty line and a line that is not a row. */
  read(line: string): GpuReading | undefined {
    if (line.trim() === '') return undefined;
    const cells = splitCells(line);
    const header = cells?.map(normalizeName);
    if (header && this.#columns.index.some(name => header.includes(name))) {
      this.#header = header;
      return undefined;
    }
    const reading =
      cells && this.#header?.length === cells.length ? this.#readRow(this.#toRow(cells)) : undefined;
    if (!reading) this.#invalidLines += 1;
    return reading;
  }

  #toRow(cells: readonly string[]): Row {
    return new Map(this.#header!.map((name, index) => [name, cells[index]!]));
  }

  #readRow(row: Row): GpuReading | undefined {
    const index = parseCell(readText(row, this.#columns.index));
    if (index === undefined || !Number.isInteger(index) || index < 0) return undefined;
    const values: Record<string, number> = {};
    for (const { name, field, factor } of this.#columns.values) {
      const value = parseCell(row.get(name));
      if (value === undefined || isBlank(value) || Object.hasOwn(values, field)) continue;
      values[field] = value * factor;
    }
    return { gpu: this.#describeGpu(row, index), values };
  }

  #describeGpu(row: Row, index: number): Gpu {
    const { platform, uuid, model, pciBusId, device } = this.#columns;
    const busId = readText(row, pciBusId);
    return {
      index,
      uuid: readText(row, uuid) ?? `GPU-${index}`,
      model: readText(row, model) ?? (platform === 'nvidia' ? 'NVIDIA GPU' : 'AMD GPU'),
      platform,
      ...(busId === undefined ? {} : { pciBusId: busId }),
      device: `${device}${index}`,
      hostname: 'localhost',
    };
  }
}

/** Returns a column's name in lowercase and without its unit: `power.draw [W]` becomes `power.draw`. */
function normalizeName(cell: string): string {
  return cell
    .replace(/\s*\[[^\]]*\]\s*$/, '')
    .trim()
    .toLowerCase();
}

/** Returns the first column of a list with a known text. */
function readText(row: Row, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = row.get(name);
    if (text !== undefined && text !== '' && !/^\[?(N\/A|Not Supported|Unknown Error)\]?$/i.test(text))
      return text;
  }
  return undefined;
}
