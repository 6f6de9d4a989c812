/** The known word that a misspelt one is most like; undefined when none is. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const asked = plain(word);
  let best: string | undefined;
  // One slip in three letters is a slip; more is another word.
  let least = Math.max(1, Math.floor(asked.length / 3)) + 1;
  for (const one of known) {
    const distance = edits(asked, plain(one));
    if (distance >= least) continue;
    least = distance;
    best = one;
  }
  return best;
}

/** `bearer-tokenFile` and `bearer_token_file` are the same to whoever mistakes one for the other. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '').slice(0, 64);
}

/** How many letters must be put in, taken out or changed (Levenshtein's distance), one row at a time. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
