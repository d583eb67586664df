import { giveWay } from '../delivery/give-way.ts';
import type { Delivery } from '../delivery/open-delivery.ts';
import type { Fetch } from './listen.ts';

const hint = /\/agents\/([a-z0-9_]+)\/look$/;

/**
 * A hint that something was committed is taken before anything else is done with its request: to
 * find its route, to check it and to answer it takes half a millisecond in a daemon at rest, and
 * nothing of that can make a look wrong. For those who may ask anything: on the socket of this
 * user, without a token, which would have to be judged first.
 */
export function lookFirst(
  fetch: Fetch,
  delivery: Pick<Delivery, 'look' | 'isPasting' | 'isDeciding'>,
): Fetch {
  return async (request, carried) => {
    const agent = request.method === 'POST' ? hint.exec(request.url)?.[1] : undefined;
    if (agent === undefined || request.headers.has('authorization')) return fetch(request, carried);
    delivery.look(agent);
    await giveWay(delivery, agent);
    return fetch(request, { ...carried, looked: agent });
  };
}
