import type { ProfileAggregate, ProfileSweep, SearchHistory } from '@org/formats';

/** The aggregated results of several runs: repeats of one benchmark, or a sweep. */
export type RunSet = RunSetBase &
  (
    | { readonly kind: 'sweep'; readonly sweep: ProfileSweep; readonly search?: SearchHistory }
    | { readonly kind: 'repeated'; readonly aggregate: ProfileAggregate }
  );

interface RunSetBase {
  /** The path of the folder or file, as given by the user. */
  readonly name: string;
  /** Missing and incomplete runs, as messages. */
  readonly notes?: readonly string[];
}
