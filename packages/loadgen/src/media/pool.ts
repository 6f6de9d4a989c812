/** Maximum size of all images or audio clips of a pool, in characters. Later turns use the first ones again. */
const MAX_POOL_CHARACTERS = 1 << 27;

/** Distinct images or audio clips, which are created before the load starts. */
export interface Pool {
  readonly items: readonly string[];
  /** Number of items in a turn. */
  readonly perTurn: number;
}

/** Creates the items of `turns` turns; less if they need too much memory. */
export function createPool(turns: number, perTurn: number, create: () => string): Pool {
  const items: string[] = [];
  let characters = 0;
  while (items.length < turns * perTurn && characters < MAX_POOL_CHARACTERS) {
    const item = create();
    items.push(item);
    characters += item.length;
  }
  return { items, perTurn };
}

/** Returns the items of a turn. */
export function takeItems({ items, perTurn }: Pool, turn: number): readonly string[] {
  return Array.from({ length: perTurn }, (_, index) => items[(turn * perTurn + index) % items.length]!);
}
