/**
 * Characters that start a formula in spreadsheets: `=`, `+`, `-`, `@`, their full-width forms, and a tab, which some
 * spreadsheets skip. Labels and HELP texts come from servers and are untrusted.
 */
const FORMULA = /^'*[=+\-@\t＝＋－＠]/;
const GUARDED_FORMULA = /^'+[=+\-@\t＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Escapes text for a cell. Line breaks become `\n` and `\r`, because sections are separated by an empty line; a backslash is
 * doubled only where it would otherwise start such an escape. A formula is prefixed with `'`, unless it is a plain number.
 */
export function escapeCell(text: string): string {
  const line = /[\n\r\\]/.test(text) ? escapeBreaks(text) : text;
  return FORMULA.test(line) && !PLAIN_NUMBER.test(line) ? `'${line}` : line;
}

/** Reverses `escapeCell`. */
export function unescapeCell(cell: string): string {
  const line = GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell;
  return line.includes('\\')
    ? line.replace(/\\([nr\\])/g, (_, escaped: string) => LINE_BREAKS[escaped]!)
    : line;
}

const LINE_BREAKS: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };

function escapeBreaks(text: string): string {
  return text
    .replace(/\\(?=[nr\\\n\r])/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r');
}
