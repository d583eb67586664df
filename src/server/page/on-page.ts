/**
 * What the page may ask for of all that the daemon can: each is a request that the command line has
 * as well. What is not here does not exist for it, such as the tools, the hooks, the end of the
 * daemon and whatever hands a message or an answer over to whoever reads it.
 */
export const onPage: readonly string[] = [
  'GET /health',
  'GET /agents',
  'POST /agents',
  'GET /agents/:agent',
  'DELETE /agents/:agent',
  'GET /agents/:agent/start',
  'POST /agents/:agent/stop',
  'POST /agents/:agent/interrupt',
  'POST /agents/:agent/restart',
  'GET /agents/:agent/output',
  'GET /agents/:agent/questions',
  'POST /agents/:agent/questions/:question',
  'GET /agents/:agent/inbox',
  'POST /messages',
  'POST /messages/ack',
  'GET /messages/:id',
  'GET /messages/:id/wait',
  'POST /messages/:id/cancel',
  'POST /tasks',
];

/** These start a program, for which it takes an environment that no page has. */
const starting = ['POST /agents', 'POST /agents/:agent/restart', 'POST /tasks'];

const compiled = onPage.map((route) => {
  const [method, path = ''] = route.split(' ');
  return { route, method, form: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) };
});

/** Undefined: the page may not ask for it. */
export function findOnPage(
  method: string,
  path: string,
): { readonly route: string; readonly isStart: boolean } | undefined {
  const found = compiled.find((one) => one.method === method && one.form.test(path));
  return found && { route: found.route, isStart: starting.includes(found.route) };
}
