/** The XIDs that LLM servers meet most. https://docs.nvidia.com/deploy/xid-errors */
const MEANINGS: Readonly<Record<number, string>> = {
  13: 'exception of a kernel',
  31: 'invalid memory access',
  43: 'a process stopped',
  45: 'a process was stopped',
  48: 'memory error that was not corrected',
  63: 'a memory row was remapped',
  64: 'remapping of a memory row failed',
  74: 'NVLink error',
  79: 'the GPU fell off the bus',
  92: 'many memory errors',
  94: 'contained memory error',
  95: 'memory error that was not contained',
  119: 'timeout of the GPU’s firmware',
};

/** Formats an XID with its meaning, such as `XID 79 (the GPU fell off the bus)`. */
export function formatXid(xid: number): string {
  const meaning = MEANINGS[xid];
  return `XID ${xid}${meaning === undefined ? '' : ` (${meaning})`}`;
}
