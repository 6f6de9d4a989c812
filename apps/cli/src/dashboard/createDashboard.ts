import type { LivePlan } from '@org/live';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import type { DisplayOptions } from '../options/display.ts';
import type { Dashboard } from './dashboard.ts';

/** Creates the dashboard of a run. */
export type CreateDashboard = (plan: LivePlan, title: string, io: Io) => Dashboard;

/** Loads the dashboard, only if it is used. Returns undefined for other displays. */
export async function loadDashboard({
  display,
}: Pick<DisplayOptions, 'display'>): Promise<CreateDashboard | undefined> {
  if (display !== 'dashboard') return undefined;
  const { Dashboard } = await import('./dashboard.ts');
  return (plan, title, io) => new Dashboard(plan, title, io);
}

/** Creates a log that keeps messages in the dashboard while it is open. */
export function createDashboardLog(log: Log, getDashboard: () => Dashboard | undefined): Log {
  const create =
    (level: keyof Log): Log['info'] =>
    text => {
      const dashboard = getDashboard();
      if (dashboard?.isOpen) dashboard.addMessage(level, text);
      else log[level](text);
    };
  return { info: create('info'), warning: create('warning'), error: create('error') };
}
