import type { Context } from 'hono';
import { Fault } from '../../shared/fault.ts';
import { parseJson } from '../../shared/json.ts';
import { bound } from '../../shared/quote.ts';
import type { Carried } from '../read-bounded.ts';
import { findOnPage } from './on-page.ts';
import type { PageParts } from './page-app.ts';

/** What a program that the page starts gets of the command that asked for the page. */
export interface LaunchMeans {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
}

/**
 * Hands a request of the page on to the daemon's API, as the user's. It is made anew: nothing of
 * the browser's headers goes along.
 */
export async function forward(
  { api, launchMeans }: Pick<PageParts, 'api' | 'launchMeans'>,
  c: Context,
): Promise<Response> {
  const { method } = c.req;
  const url = new URL(c.req.url);
  const path = url.pathname.slice('/api'.length);
  const found = findOnPage(method, path);
  if (!found) {
    throw new Fault(
      'route-not-found',
      `The dashboard cannot ask for ${method} ${bound(path, 80)}.`,
      'Use the command line.',
    );
  }
  const text = method === 'GET' ? '' : await c.req.text();
  const body = found.isStart ? addMeans(found.route, text, launchMeans()) : text;
  const request = new Request(new URL(`${path}${url.search}`, 'http://localhost'), {
    method,
    signal: c.req.raw.signal,
    ...(body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });
  const carried: Partial<Carried> = { place: 'dashboard' };
  return api(request, carried);
}

/** What a person at the command line need not say either. */
const usual: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /agents': { notify: true, extraArgs: [], extraEnv: {} },
  'POST /agents/:agent/restart': { fresh: false },
};

function addMeans(route: string, text: string, means: LaunchMeans | undefined): string {
  if (!means) {
    throw new Fault(
      'no-environment',
      'The daemon was started again since this page was opened, and has no environment for new programs.',
      'Run `signalbox dashboard` again in your terminal, or launch from the command line.',
    );
  }
  const wish = parseJson(text === '' ? '{}' : text);
  // What it is the API says.
  if (typeof wish !== 'object' || wish === null || Array.isArray(wish)) return text;
  return JSON.stringify({ ...usual[route], ...wish, ...means });
}
