/**
 * What spreadsheets take for a formula at the start of a cell: `=`, `+`, `-`, `@`, their full-width forms, and
 * a tab, which some of them skip. A server may put any of these into a label or a HELP text.
 */
const formula = /^'*[=+\-@\t＝＋－＠]/;
const guardedFormula = /^'+[=+\-@\t＝＋－＠]/;
const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * A text as it stands in a cell. Line breaks become `\n` and `\r`, since the sections of the file are told apart
 * by an empty line (seed 002) and Python reads every kind of line break as one; a backslash is doubled only where
 * it would be read as such an escape. What looks like a formula gets a `'` in front, unless it is a plain number.
 */
export function escapeCell(text: string): string {
  const line = /[\n\r\\]/.test(text) ? escapeBreaks(text) : text;
  return formula.test(line) && !plainNumber.test(line) ? `'${line}` : line;
}

/** The text that `escapeCell` was given. */
export function unescapeCell(cell: string): string {
  const line = guardedFormula.test(cell) ? cell.slice(1) : cell;
  return line.includes('\\') ? line.replace(/\\([nr\\])/g, (_, escaped: string) => breaks[escaped]!) : line;
}

const breaks: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };

function escapeBreaks(text: string): string {
  return text
    .replace(/\\(?=[nr\\\n\r])/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r');
}
