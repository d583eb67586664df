import { requirePerson } from '../fleet/permissions.ts';
import type { DashboardView } from '../protocol/page.ts';
import type { DashboardWish, LiveContext } from './context.ts';
import { defineRequest } from './define.ts';

/**
 * A link to the page in a browser. Whoever has it acts with the user's standing, answers questions
 * and types into terminals: it is the person's alone (rules 52, 54).
 */
export const openDashboard = defineRequest(
  async (context: LiveContext, caller, wish: DashboardWish): Promise<DashboardView> => {
    requirePerson(caller, 'open the dashboard');
    const opened = await context.live.dashboard.open(wish);
    const { port, readOnly } = opened;
    context.log?.info({ port, readOnly }, 'a link to the dashboard was given to the user');
    return opened;
  },
);
