/** A fault of the server itself, which its metrics show. It lasts from the start of the server. */
export type ServerFault =
  /** An engine reports that it sleeps. */
  | { readonly kind: 'sleep'; readonly engine?: number }
  /** An engine computes `factor` times slower than the others. */
  | { readonly kind: 'slow'; readonly engine: number; readonly factor: number }
  /** Every Nth request has NaN logits. */
  | { readonly kind: 'nan-logits'; readonly requests: number }
  /** The transfer of KV cache blocks fails for every Nth request. */
  | { readonly kind: 'kv-transfer'; readonly requests: number }
  /** Each step drafts `tokens` tokens per request, and rejects all of them. */
  | { readonly kind: 'rejected-drafts'; readonly tokens: number }
  /** The ports are open for `up` seconds, then closed for `down` seconds, again and again. Counters do not change. */
  | { readonly kind: 'flap'; readonly up: number; readonly down: number }
  /** GPUs lower their clock rate because of heat, or because of their power limit. */
  | { readonly kind: 'gpu-throttle'; readonly cause: 'heat' | 'power'; readonly gpu?: number }
  /** GPUs have reported an XID error. */
  | { readonly kind: 'gpu-xid'; readonly code: number; readonly gpu?: number };

const KINDS: readonly ServerFault['kind'][] = [
  ...([
    'sleep',
    'slow',
    'nan-logits',
    'kv-transfer',
    'rejected-drafts',
    'flap',
    'gpu-throttle',
    'gpu-xid',
  ] as const),
];

/** Faults whose metrics only vLLM has. */
const VLLM_KINDS: readonly string[] = ['sleep', 'nan-logits', 'kv-transfer', 'rejected-drafts'];

/** Reports whether a fault is a fault of the server, and not of single scrapes. */
export function isServerFault(fault: { readonly kind: string }): fault is ServerFault {
  return KINDS.some(kind => kind === fault.kind);
}

/** Throws RangeError if a server does not have what a fault affects. */
export function checkServerFaults(
  faults: readonly ServerFault[],
  { kind, engines, gpus }: { readonly kind: string; readonly engines: number; readonly gpus: number },
): void {
  for (const fault of faults) {
    const fail = (reason: string): never => {
      throw new RangeError(`invalid fault "${fault.kind}": ${reason}`);
    };
    if (VLLM_KINDS.includes(fault.kind) && kind !== 'vllm') fail(`expected the kind vllm, not ${kind}`);
    if ('engine' in fault && fault.engine! >= engines) fail(`engine ${fault.engine} does not exist`);
    if (fault.kind.startsWith('gpu-') && gpus === 0) fail('the server has no GPUs');
    if ('gpu' in fault && fault.gpu! >= gpus) fail(`GPU ${fault.gpu} does not exist`);
  }
}

/** Cost of drafting one token per request, as a share of a step. */
const DRAFT_COST = 0.05;

/** Returns by which factor the faults slow down an engine. */
export function computeSlowdown(faults: readonly ServerFault[], engine: number): number {
  return faults.reduce((factor, fault) => {
    if (fault.kind === 'slow' && fault.engine === engine) return factor * fault.factor;
    return fault.kind === 'rejected-drafts' ? factor * (1 + DRAFT_COST * fault.tokens) : factor;
  }, 1);
}
