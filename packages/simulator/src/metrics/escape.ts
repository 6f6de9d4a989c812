/** Escapes a label value: backslash, line feed, double quote (exposition format 0.0.4, "Line format"). */
export function escapeLabelValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

/** Escapes HELP text in the classic format, where a double quote stands for itself. */
export function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
