/** A place in a document: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/**
 * The place as jq writes it, so that it can be pasted: `.metrics["vllm:x"].series[0].stats.avg`.
 * The document itself is `.`.
 */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) text += `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text.startsWith('.') ? text : `.${text}`;
}
