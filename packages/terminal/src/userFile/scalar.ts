/** Parses a text as AIPerf does after it has replaced a variable: `true`, `false` and numbers are not texts. */
export function parseScalar(text: string): string | number | boolean {
  const word = text.trim();
  if (/^(?:true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(word) && isExact(word) ? Number(word) : text;
}

/** Reports whether a number has the same digits as its text; identifiers of 20 digits have not. */
function isExact(word: string): boolean {
  return !/^[-+]?\d+$/.test(word) || Number.isSafeInteger(Number(word));
}
