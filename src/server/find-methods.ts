import type { MiddlewareHandler } from 'hono';
import { Fault } from '../shared/fault.ts';
import { bound } from '../shared/quote.ts';
import { access, routeOf } from './access.ts';
import { faultResponse, seeApi } from './fault-response.ts';

/** Before the body is looked at: nobody wants it. */
export const refuseMethods: MiddlewareHandler = async (c, next) => {
  const { method, path } = c.req;
  return (routeOf(c) === undefined && refuseMethod(method, path)) || next();
};

/** The answer to a method that this path does not take; undefined: there is no such path. */
export function refuseMethod(method: string, path: string): Response | undefined {
  const allow = findMethods(path).join(', ');
  if (allow === '') return undefined;
  const fault = new Fault(
    'method-not-allowed',
    `${bound(path, 80)} takes ${allow}, and no ${bound(method, 20)}.`,
    seeApi,
  );
  const response = faultResponse(fault);
  response.headers.set('allow', allow);
  return response;
}

function findMethods(path: string): readonly string[] {
  const words = path.split('/');
  const found = routes.filter((route) => isLike(route.words, words));
  // `/messages/ack` is no message, although it reads like one.
  const fewest = Math.min(...found.map(({ holes }) => holes));
  return found.filter(({ holes }) => holes === fewest).map(({ method }) => method);
}

/** A word that begins with a colon stands for any one. */
function isLike(pattern: readonly string[], words: readonly string[]): boolean {
  const isSame = (word: string, at: number): boolean =>
    word.startsWith(':') ? words[at] !== '' : word === words[at];
  return pattern.length === words.length && pattern.every(isSame);
}

const routes = Object.keys(access).map((route) => {
  const [method = '', path = ''] = route.split(' ');
  const words = path.split('/');
  return { method, words, holes: words.filter((word) => word.startsWith(':')).length };
});
