/** The properties of a stream that show whether it is a terminal, and its size. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * Reports whether to color the output on a stream. Terminals are colored; if FORCE_COLOR is set, all streams
 * are. NO_COLOR and `FORCE_COLOR=0` turn colors off (https://no-color.org, https://force-color.org).
 */
export function shouldUseColor(stream: Screen, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !/^(?:0|false)$/.test(env.FORCE_COLOR);
  return stream.isTTY === true;
}

/**
 * Returns the width of a stream in columns: the width of a terminal, 80 if the terminal reports none, 100 for
 * a file or a pipe.
 */
export function getTerminalWidth(stream: Screen): number {
  return stream.isTTY ? stream.columns || 80 : 100;
}

/**
 * Returns the height of a stream in rows: the height of a terminal, 24 if the terminal reports none, 60 for a
 * file or a pipe.
 */
export function getTerminalHeight(stream: Screen): number {
  return stream.isTTY ? stream.rows || 24 : 60;
}

/**
 * Makes text from a server safe for a terminal: replaces control and bidirectional formatting characters,
 * which could move the cursor, change colors or reorder text, with visible symbols.
 */
export function toPrintable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, character => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}
