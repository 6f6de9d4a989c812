/** Escapes a label value: backslash, line feed, double quote (exposition format 0.0.4, "Line format"). */
export function escapeLabelValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

/** Escapes a HELP text of the classic format, which has no escape for double quotes. */
export function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
