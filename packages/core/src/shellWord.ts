/** Words that a shell reads as they are. */
const PLAIN = /^[\w./:@%+=,-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Quotes a word for bash and zsh, if necessary, so that a command in a message can be copied. Control characters are
 * escaped, because messages do not contain them.
 */
export function quoteShellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const escaped = [...word].map(character => {
    if (character === '\\' || character === "'") return `\\${character}`;
    return CONTROL.test(character)
      ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
      : character;
  });
  return `$'${escaped.join('')}'`;
}

/** Quotes a path as `quoteShellWord`. A path that starts with a dash gets a folder, so that it is not read as an option. */
export function quoteShellPath(path: string): string {
  return quoteShellWord(path.startsWith('-') ? `./${path}` : path);
}
