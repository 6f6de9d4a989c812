/** The entry point of the script in the page of a run that is watched while it is active. */

import type { RunPageData } from '../src/report/page.ts';
import type { LivePageState } from '../src/watch/liveUpdate.ts';
import { LivePage } from './livePage.ts';
import { readPageData } from './readPageData.ts';
import { addActions } from './runPage.ts';

addActions();
void readPageData<RunPageData & { readonly live: LivePageState }>().then(({ live, ...data }) =>
  new LivePage(data, live).follow(),
);
