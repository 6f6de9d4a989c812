import type { TestProject } from 'vitest/node';
import { selectPeers } from './peers.ts';

/** Installs the selected peers, one after the other, and reports those that cannot be installed. */
export async function setup(project: TestProject): Promise<void> {
  const { peers, isFull } = selectPeers();
  const installed: Record<string, string> = {};
  const missing: Record<string, string> = {};
  for (const { name, install } of peers) {
    const startMs = performance.now();
    try {
      installed[name] = await install();
      console.log(`${name}: ${installed[name]} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
    } catch (error) {
      missing[name] = (error as Error).message;
      console.warn(`cannot install ${name}: ${missing[name]}`);
    }
  }
  project.provide('peers', { installed, missing, isRequired: !isFull && process.env.CI === 'true', isFull });
}
