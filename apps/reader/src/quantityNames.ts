/** Names of quantities that pages use for client and servers, by the meaning of a metric. */
const NAMES: Readonly<Record<string, string>> = {
  'end-to-end latency': 'Latency of requests',
  'inter-token latency': 'Time between tokens',
};

/** Names a quantity by the meaning of a metric, starting with a capital letter. */
export function nameQuantity(meaning: string): string {
  return NAMES[meaning.toLowerCase()] ?? `${meaning[0]!.toUpperCase()}${meaning.slice(1)}`;
}
