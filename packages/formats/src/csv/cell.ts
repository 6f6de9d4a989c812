/**
 * Text that a spreadsheet would evaluate as a formula: it starts with `=`, `+`, `-` or `@`, a full-width form
 * of them, or a tab, which some spreadsheets skip. Labels and HELP texts come from servers and are untrusted.
 * Text with leading apostrophes also matches, so that the prefix can be removed again.
 */
const FORMULA = /^'*[=+\-@\t＝＋－＠]/;
/** A formula that is already prefixed with `'`. */
const GUARDED_FORMULA = /^'+[=+\-@\t＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Escapes text for a cell. Line breaks become `\n` and `\r`, because empty lines separate sections. A
 * backslash is doubled only where it would otherwise start such an escape sequence. A formula is prefixed
 * with `'`, unless it is a plain number.
 */
export function escapeCell(text: string): string {
  const line = /[\n\r\\]/.test(text) ? escapeLineBreaks(text) : text;
  return FORMULA.test(line) && !PLAIN_NUMBER.test(line) ? `'${line}` : line;
}

/** Reverses `escapeCell`. */
export function unescapeCell(cell: string): string {
  const line = GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell;
  return line.includes('\\')
    ? line.replace(/\\([nr\\])/g, (_, escaped: string) => UNESCAPED_CHARACTERS[escaped]!)
    : line;
}

/** Escape sequences, without the backslash, and the characters that they represent. */
const UNESCAPED_CHARACTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };

function escapeLineBreaks(text: string): string {
  return text
    .replace(/\\(?=[nr\\\n\r])/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r');
}
