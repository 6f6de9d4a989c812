/**
 * Returns a function that computes the result for an object once, and keeps it as long as the object exists. Objects and
 * results must not be changed.
 */
export function computeOnce<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return key => {
    const known = results.get(key);
    if (known) return known.result;
    const result = compute(key);
    results.set(key, { result });
    return result;
  };
}
