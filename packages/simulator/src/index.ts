/** A mock inference server: simulated engines, traffic and metrics pages of several server kinds. */
export type { GpuExporter } from './gpu/gpuPage.ts';
export { SERVER_KINDS } from './profiles/profile.ts';
export {
  type ListeningServer,
  runSimulateCommand,
  SIMULATE_OPTIONS,
  type SimulateOption,
  type SimulateValues,
} from './simulateCommand.ts';
export { Simulation } from './simulation.ts';
export { type CreateSimulatorOptions, createSimulator, type Simulator } from './simulator.ts';
export type { SimulatorOptions } from './simulatorOptions.ts';
export { simulateTrace } from './trace.ts';
