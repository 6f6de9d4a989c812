/** A path in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/**
 * Formats a path in jq syntax: `.metrics["vllm:x"].series[0].stats.avg`. The path of the document itself is
 * `.`. Long keys are truncated with `…`.
 */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(step)) text += `.${step}`;
    else text += `[${JSON.stringify(truncate(step, MAX_KEY_LENGTH))}]`;
  }
  return text.startsWith('.') ? text : `.${text}`;
}

/** Maximum length of a key in a formatted path, in characters. */
const MAX_KEY_LENGTH = 200;

/** Truncates text to `maxLength` characters followed by `…`. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
