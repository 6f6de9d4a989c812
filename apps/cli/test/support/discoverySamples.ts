import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OptionSamples } from './optionSamples.ts';

const PODS = '--discovery kubernetes --kubeconfig kube.json';
const HTTP = '--server-metrics-source http_sd:http://127.0.0.1:9';
const SOURCE = '--server-metrics-source file_sd:sd.json';

/** Options for sources of endpoints. */
export const DISCOVERY_SAMPLES: OptionSamples = {
  'server-metrics-source': { words: SOURCE },
  discovery: { words: '--discovery kubernetes', requires: '--kubeconfig kube.json' },
  'discovery-namespace': { words: '--discovery-namespace other', requires: PODS },
  'discovery-label-selector': { words: '--discovery-label-selector app=vllm', requires: PODS },
  'discovery-annotations': { words: '--discovery-annotations', requires: PODS },
  'discovery-monitors': { words: '--discovery-monitors', requires: PODS },
  'discovery-proxy': { words: '--discovery-proxy', requires: PODS },
  kubeconfig: { words: '--kubeconfig kube.json', requires: '--discovery kubernetes' },
  'kube-context': { words: '--kube-context second', requires: PODS },
  'discovery-wait': { words: '--discovery-wait 5', requires: SOURCE },
  'discovery-optional': { words: '--discovery-optional', requires: SOURCE },
  'discovery-refresh': { words: '--discovery-refresh 5', requires: SOURCE },
  'discovery-header': { words: '--discovery-header X-Tenant:a', requires: HTTP },
  'discovery-bearer-token-file': { words: '--discovery-bearer-token-file token', requires: HTTP },
  'discovery-basic-auth-file': { words: '--discovery-basic-auth-file basic', requires: HTTP },
  'discovery-timeout': { words: '--discovery-timeout 5', requires: SOURCE },
};

/** Writes a list of targets, a configuration file, and a kubeconfig with two contexts, whose server does not exist. */
export function writeDiscoverySamples(folder: string): void {
  writeFileSync(join(folder, 'sd.json'), '[{"targets":["127.0.0.1:9"],"labels":{"role":"decode"}}]');
  const createContext = (name: string) => ({ name, context: { cluster: 'c', user: 'u', namespace: name } });
  const config = {
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:9' } }],
    users: [{ name: 'u', user: { token: 'hunter2' } }],
    contexts: [createContext('first'), createContext('second')],
    'current-context': 'first',
  };
  writeFileSync(join(folder, 'kube.json'), JSON.stringify(config));
  const discovery = { mode: 'kubernetes', kubeconfig: 'kube.json', timeout_seconds: 5, namespace: 'team' };
  const sources = [{ source: 'file_sd:sd.json' }];
  writeFileSync(join(folder, 'discovery.yaml'), JSON.stringify({ discovery, sources }));
}
