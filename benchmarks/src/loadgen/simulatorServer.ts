/**
 * Runs a simulator in a separate process. Usage: simulatorServer.js SPEED MAX_RUNNING. Prints its URL as its
 * first line.
 */
import { argv } from 'node:process';
import { reserveDescriptors } from '@org/loadgen';
import { createSimulator } from '@org/simulator';

// Growing the file descriptor table during the load would block the thread that accepts connections.
reserveDescriptors();
const [speed, maxRunning] = argv.slice(2).map(Number);
const simulator = createSimulator({
  seed: 1,
  model: 'm',
  speed: speed!,
  maxRunning: maxRunning!,
  truthEndpoint: true,
});
const { url } = await simulator.listen();
console.log(url);
