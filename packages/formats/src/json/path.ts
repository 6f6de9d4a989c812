/** A place in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/**
 * The place as jq writes it, so that it can be pasted: `.metrics["vllm:x"].series[0].stats.avg`.
 * The document itself is `.`. A key that is longer than a name is ends in `…`.
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

const MAX_KEY_LENGTH = 200;

/** A text of at most that many characters, and `…` in place of the others: what a file says may be very long. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
