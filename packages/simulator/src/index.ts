export type { Distribution } from './distribution.ts';
export { Cluster } from './engine/cluster.ts';
export { createEngine, Engine } from './engine/engine.ts';
export type { EngineObserver } from './engine/observer.ts';
export type { EngineOptions } from './engine/options.ts';
export type { FinishReason, Request, RequestRecord, RequestSpec, RequestWatcher } from './engine/request.ts';
export type { Step } from './engine/step.ts';
export { type BodyEditName, bodyEdits } from './faults/body.ts';
export { checkedFault, type Fault, faultKinds, parseFault } from './faults/fault.ts';
export { constantLoad, type Load, type LoadName, type LoadPhase, namedLoad } from './load.ts';
export type { SimulatorOptions } from './options.ts';
export { type Page, type ServerKind, serverKinds, type TrtllmPages } from './profiles/profile.ts';
export { Random } from './random.ts';
export type { Control } from './server/control.ts';
export { truthJson } from './server/controls.ts';
export {
  runSimulateCommand,
  type SimulateIo,
  type SimulateOption,
  type SimulateValues,
  simulateOptions,
} from './simulate.ts';
export { Simulation } from './simulation.ts';
export {
  type CreateSimulatorOptions,
  createSimulator,
  type Simulator,
  type SimulatorAddress,
} from './simulator.ts';
export { simulatedTrace, type Trace, type TraceOptions, type TraceScrape } from './trace.ts';
export { defaultWorkload, type Workload } from './traffic.ts';
export type { HistogramTruth, Mark, Truth } from './truth.ts';
