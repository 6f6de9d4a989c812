export { serverKinds } from './profiles/profile.ts';
export {
  runSimulateCommand,
  type SimulateOption,
  type SimulateValues,
  simulateOptions,
} from './simulateCommand.ts';
export { type CreateSimulatorOptions, createSimulator, type Simulator } from './simulator.ts';
export { simulateTrace } from './trace.ts';
