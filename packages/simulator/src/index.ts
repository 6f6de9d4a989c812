export { Simulation } from './simulation.ts';
export {
  type CreateSimulatorOptions,
  createSimulator,
  type Simulator,
  type SimulatorAddress,
} from './simulator.ts';
