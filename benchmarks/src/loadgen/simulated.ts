/** A simulator in a process of its own. Usage: simulated.js SPEED SEATS. Prints its URL as its first line. */
import { argv } from 'node:process';
import { reserveDescriptors } from '@org/loadgen';
import { createSimulator } from '@org/simulator';

// What accepts connections stands still as those who make them do.
reserveDescriptors();
const [speed, seats] = argv.slice(2).map(Number);
const simulator = createSimulator({
  seed: 1,
  model: 'm',
  speed: speed!,
  maxRunning: seats!,
  truthEndpoint: true,
});
const { url } = await simulator.listen();
console.log(url);
