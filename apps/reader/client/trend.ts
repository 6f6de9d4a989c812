/** The entry point of the script in the page of a trend, whose charts, tables and text are already in the page. */

import { createThemeButton } from './theme.ts';

document.getElementById('actions')!.append(createThemeButton());
