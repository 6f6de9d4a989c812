import { testInvalidSamples } from '../support/samples.ts';

testInvalidSamples('server-metrics.json');
testInvalidSamples('legacy.json');
testInvalidSamples('profile-export.json');
testInvalidSamples('profile-timeslices.json');
testInvalidSamples('profile-aggregate.json');
testInvalidSamples('profile-collated.json');
testInvalidSamples('profile-sweep.json');
