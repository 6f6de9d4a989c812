/** What is said of a run in which no request succeeded, `failed` of them. */
export function noSuccess(failed: number): string {
  if (failed === 0) return 'no request was sent';
  return failed === 1 ? 'the only request failed' : `all ${failed} requests failed`;
}
