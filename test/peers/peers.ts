import { aiperf } from './aiperf/install.ts';
import { collector } from './collector/install.ts';
import { kubernetes } from './kubernetes/install.ts';
import { llamacpp } from './llamacpp/install.ts';
import { prometheus } from './prometheus/install.ts';
import { prometheus3 } from './prometheus3/install.ts';
import { spark } from './spark/install.ts';
import type { Peer } from './support/peer.ts';
import { victoriametrics } from './victoriametrics/install.ts';
import { vllm } from './vllm/install.ts';

const PEERS: readonly Peer[] = [
  aiperf,
  collector,
  kubernetes,
  llamacpp,
  prometheus,
  prometheus3,
  spark,
  victoriametrics,
  vllm,
];

/** Peers to test, and whether to run all of their cases. */
export interface Selection {
  readonly peers: readonly Peer[];
  readonly isFull: boolean;
}

/**
 * Parses $SERVELENS_PEERS: `matrix` (default) selects the peers and cases of `.ci/run`, `all` everything, and a
 * comma-separated list everything of these peers.
 */
export function selectPeers(selection: string = process.env.SERVELENS_PEERS || 'matrix'): Selection {
  if (selection === 'matrix') return { peers: PEERS.filter(({ isInMatrix }) => isInMatrix), isFull: false };
  if (selection === 'all') return { peers: PEERS, isFull: true };
  const names = selection.split(',');
  const unknown = names.filter(name => !PEERS.some(peer => peer.name === name));
  if (unknown.length > 0) {
    const known = PEERS.map(({ name }) => name).join(', ');
    throw new Error(`unknown peer: ${unknown.join(', ')}; the peers are ${known}`);
  }
  return { peers: PEERS.filter(({ name }) => names.includes(name)), isFull: true };
}
