import { testInvalidSamples } from '../support/samples.ts';

testInvalidSamples('server-metrics.json');
testInvalidSamples('server-metrics-1.1.json');
testInvalidSamples('legacy.json');
testInvalidSamples('profile-export.json');
testInvalidSamples('profile-timeslices.json');
testInvalidSamples('profile-aggregate.json');
testInvalidSamples('profile-collated.json');
testInvalidSamples('profile-sweep.json');
testInvalidSamples('phase-manifest.json');
testInvalidSamples('phase-server-metrics.json');
testInvalidSamples('inputs.json');
testInvalidSamples('outputs.json');
