import { testInvalidSamples } from '../support/samples.ts';

testInvalidSamples('profile-aggregate-csv.json');
testInvalidSamples('profile-sweep-csv.json');
