/** Describes a run in which every request failed, given the number of failed requests. */
export function describeNoSuccess(failed: number): string {
  if (failed === 0) return 'no request was sent';
  return failed === 1 ? 'the only request failed' : `all ${failed} requests failed`;
}
