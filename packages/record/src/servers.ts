/** The servers whose metrics are understood in a run. */

export { addRunServers, getServers, type RunServers, readRunServers } from './runServers.ts';
