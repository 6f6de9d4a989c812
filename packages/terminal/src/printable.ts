/**
 * Makes text from a server safe for a terminal: replaces control characters, which could move the cursor or change
 * colors, with visible symbols.
 */
export function toPrintable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, character => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}
