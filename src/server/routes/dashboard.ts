import type { OpenAPIHono } from '@hono/zod-openapi';
import { dashboardRequestSchema, dashboardSchema } from '../../protocol/schemas/page.ts';
import type { DashboardWish, LiveContext } from '../../requests/context.ts';
import { openDashboard } from '../../requests/open-dashboard.ts';
import { describeRoute, json, orFault } from '../describe-route.ts';
import { findCaller } from '../find-caller.ts';

/** The way to the page in a browser, which has a listener of its own. */
export function addDashboardRoutes(app: OpenAPIHono, context: LiveContext): void {
  app.openapi(open, async (c) => {
    const wish = c.req.valid('json') as DashboardWish;
    return c.json(await openDashboard(context, await findCaller(context, c), wish), 200);
  });
}

const open = describeRoute({
  operationId: 'openDashboard',
  method: 'post',
  path: '/dashboard',
  summary: 'A link for one sign-in to the page in a browser. For the user at a terminal alone.',
  request: {
    body: { required: true, ...json(dashboardRequestSchema, 'How it is to be opened.') },
  },
  responses: { 200: json(dashboardSchema, 'The link.'), ...orFault },
});
