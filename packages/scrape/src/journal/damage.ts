/** What stands in a journal is not what a writer puts there. Readers stop at it and tell of it; it never reaches callers. */
export class Damage extends Error {
  override readonly name: string = 'Damage';
}
