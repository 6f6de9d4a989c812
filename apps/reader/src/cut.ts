import stringWidth from 'string-width';

/** Without its end where it is wider: metric names have the most to say in front. */
export function cutEnd(text: string, width: number): string {
  return stringWidth(text) <= width ? text : `${within([...text], width - 1)}…`;
}

/** Without its middle where it is wider, and more of its end than of its front: there names of one kind differ. */
export function cutMiddle(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const start = within([...text], Math.floor((width - 1) / 3));
  const end = within([...text].reverse(), width - 1 - stringWidth(start));
  return `${start}…${[...end].reverse().join('')}`;
}

/** As many of the characters as have room; a wide one takes two columns. */
function within(characters: readonly string[], width: number): string {
  let kept = '';
  let used = 0;
  for (const character of characters) {
    used += stringWidth(character);
    if (used > width) break;
    kept += character;
  }
  return kept;
}
