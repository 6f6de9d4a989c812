/**
 * A server's text made safe for a terminal: control characters, which could move the cursor or change colours, are shown
 * as what they are.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, character => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}

/** What a stream says of the terminal that it may be. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * Whether a stream wants colour: a terminal does, and any stream with FORCE_COLOR, unless NO_COLOR or `FORCE_COLOR=0`
 * says otherwise (https://no-color.org, https://force-color.org).
 */
export function wantsColor(stream: Screen, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !/^(?:0|false)$/.test(env.FORCE_COLOR);
  return stream.isTTY === true;
}

/** Columns of a terminal, 80 for one that does not know; 100 for a file or a pipe. */
export function widthOf(stream: Screen): number {
  return stream.isTTY ? stream.columns || 80 : 100;
}

/** Lines of a terminal, 24 for one that does not know; 60 for a file or a pipe: what a page has. */
export function heightOf(stream: Screen): number {
  return stream.isTTY ? stream.rows || 24 : 60;
}
