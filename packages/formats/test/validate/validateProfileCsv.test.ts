import { testInvalidSamples } from '../support/samples.ts';

testInvalidSamples('profile-csv.json');
testInvalidSamples('profile-timeslices-csv.json');
