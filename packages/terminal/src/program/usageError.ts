/** A mistake on the command line. It is printed without a stack trace, and the program exits with code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Finds the known word that is most similar to a misspelled word; undefined if no word is similar enough. */
export function findSimilarWord(word: string, knownWords: readonly string[]): string | undefined {
  const normalizedWord = normalize(word);
  let bestMatch: string | undefined;
  // Up to one edit per three letters counts as a typo.
  let limit = Math.max(1, Math.floor(normalizedWord.length / 3)) + 1;
  for (const candidate of knownWords) {
    const distance = computeEditDistance(normalizedWord, normalize(candidate));
    if (distance >= limit) continue;
    limit = distance;
    bestMatch = candidate;
  }
  return bestMatch;
}

/** Normalizes case and separators, so that `bearer-tokenFile` equals `bearer_token_file`. */
function normalize(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '').slice(0, 64);
}

/** Computes the Levenshtein distance, row by row. */
function computeEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const nextRow = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      nextRow.push(Math.min(substitution, row[j]! + 1, nextRow[j - 1]! + 1));
    }
    row = nextRow;
  }
  return row[b.length]!;
}
