import stringWidth from 'string-width';

/** How many columns of a terminal a text takes; what is plain ASCII, nearly all, is not looked at twice. */
export function columnsOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** Without its end where it is wider: metric names have the most to say in front. */
export function cutEnd(text: string, width: number): string {
  return columnsOf(text) <= width ? text : `${within([...text], width - 1)}…`;
}

/** Without its middle where it is wider, and more of its end than of its front: there names of one kind differ. */
export function cutMiddle(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const start = within([...text], Math.floor((width - 1) / 3));
  const end = within([...text].reverse(), width - 1 - columnsOf(start));
  return `${start}…${[...end].reverse().join('')}`;
}

/** As many of the characters as have room; a wide one takes two columns. */
function within(characters: readonly string[], width: number): string {
  let kept = '';
  let used = 0;
  for (const character of characters) {
    used += columnsOf(character);
    if (used > width) break;
    kept += character;
  }
  return kept;
}
