import { NestedFields } from './nestedFields.ts';
import { type Group, PackedObjects } from './packedObjects.ts';
import { readTemplate } from './readTemplate.ts';
import type { Template } from './template.ts';
import { TimeColumns } from './timeColumns.ts';

/** Maximum number of combinations of fields in a list that is kept in columns. */
const MAX_TEMPLATES = 8;

const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;

/** A list that was read, and the offset after it. */
export interface ParsedColumns {
  readonly value: PackedObjects;
  readonly end: number;
}

/**
 * Parses lists of similar objects directly to columns. The first object with a combination of fields becomes a template:
 * the text between its numbers, which the following objects repeat. This is several times faster than a parser that knows
 * nothing about the text, and creates no objects.
 */
export class ColumnParser {
  readonly #times = new TimeColumns();
  readonly #nested = new NestedFields();
  /** The length of the last list. Most lists of a document have the same length. */
  #lastLength = 1;

  /**
   * Parses a list that starts at an offset. Returns undefined for lists that are not worth it, or that contain something
   * unexpected or invalid, which is left to the JSON parser.
   */
  parse(text: string, start: number): ParsedColumns | undefined {
    const templates: Template[] = [];
    const places: number[][] = [];
    let at = skipSpace(text, start + 1);
    for (let place = 0; ; place++) {
      if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
      let index = templates.findIndex(template => template.read(text, at));
      if (index === -1) {
        const template = readTemplate(text, at, templates.length === 0 ? this.#lastLength : 1);
        if (!template?.read(text, at) || templates.push(template) > MAX_TEMPLATES) return undefined;
        index = places.push([]) - 1;
      }
      places[index]!.push(place);
      at = skipSpace(text, templates[index]!.end);
      const code = text.charCodeAt(at++);
      if (code === CLOSE_BRACKET) break;
      if (code !== COMMA) return undefined;
      at = skipSpace(text, at);
    }
    this.#lastLength = places.reduce((sum, { length }) => sum + length, 0);
    const groups = templates.map(
      (template, index): Group => ({ table: template.createTable(this.#times), places: places[index]! }),
    );
    return { value: new PackedObjects(groups, this.#nested), end: at };
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
  return at;
}
