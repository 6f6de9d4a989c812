/** The cause of a lower clock rate. `power`: a limit of the power. `heat`: the temperature. `hardware`: either of them. */
export type ThrottleCause = 'power' | 'heat' | 'hardware';

/** A reason for which an NVIDIA GPU lowers its clock rate. */
export interface ThrottleReason {
  readonly name: string;
  readonly cause: ThrottleCause;
}

/**
 * The bits of `nvidia_clock_event_reasons` that mean throttling. The other bits mean that the GPU is idle, or that a user has
 * set its clock rate. https://docs.nvidia.com/deploy/nvml-api/group__nvmlClocksEventReasons.html
 */
const REASONS: readonly (readonly [bit: number, reason: ThrottleReason])[] = [
  [0x04, { name: 'software power cap', cause: 'power' }],
  [0x08, { name: 'hardware slowdown', cause: 'hardware' }],
  [0x20, { name: 'software thermal slowdown', cause: 'heat' }],
  [0x40, { name: 'hardware thermal slowdown', cause: 'heat' }],
  [0x80, { name: 'power brake', cause: 'power' }],
];

/** Returns the reasons for throttling in a value of `nvidia_clock_event_reasons`; empty if the GPU is not throttled. */
export function listThrottleReasons(bits: number): ThrottleReason[] {
  // A value has up to 64 bits, and bit operations use 32; all known reasons are among the lowest 9.
  const low = bits % 2 ** 31;
  return REASONS.filter(([bit]) => (low & bit) !== 0).map(([, reason]) => reason);
}
