import type { OptionSamples } from './optionSamples.ts';

const requires = '--push otlp=http://127.0.0.1:9';

/** Options that push values. */
export const PUSH_SAMPLES: OptionSamples = {
  push: { words: '--push remote-write=http://127.0.0.1:9' },
  'push-label': { words: '--push-label team=search', requires },
  'push-header': { words: '--push-header X-Scope:a', requires },
  'push-header-file': { words: '--push-header-file headers', requires },
  'push-timeout': { words: '--push-timeout 0.1', requires },
  'metrics-port': { words: '--metrics-port 8124' },
  'otel-url': { words: '--otel-url 127.0.0.1:8' },
  'otel-resource-attributes': { words: '--otel-resource-attributes zone=a', requires },
  'gen-ai-provider': { words: '--gen-ai-provider vllm', requires },
};
