import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { isAtRest, sameMomentMs } from './life.ts';
import type { StatusEvent } from './status-log.ts';

/**
 * The one mistake that corrupts a turn, looked for in everything that was published in a life: "at
 * rest" while the model still answers. A word from before the turn was noticed does not count, but
 * only for a while.
 */
export function findLies(
  events: readonly StatusEvent[],
  requests: readonly LoggedRequest[],
): readonly string[] {
  return requests
    .filter(({ isSide }) => !isSide)
    .flatMap((request) => {
      const { at, endedAt = Number.POSITIVE_INFINITY, outcome } = request;
      const until = endedAt - (outcome === 'client-closed' ? goodbyeMs : sameMomentMs);
      const before = events.findLast((event) => event.at <= at);
      const during = events.filter((event) => event.at > at && event.at < until);
      let isNoticed = before !== undefined && !isAtRest(before) && before.status !== 'exited';
      const lies = during.filter((event) => {
        if (!isAtRest(event)) {
          isNoticed = true;
          return false;
        }
        return isNoticed || event.at > at + noticeMs;
      });
      return lies.map(
        ({ status, source, at: saidAt }) =>
          `${status} (${source}) ${saidAt - at} ms into a request of ${until - at} ms: ${request.lastUserText.slice(0, 60)}`,
      );
    });
}

/** The mock learns late that nobody listens any more. */
const goodbyeMs = 2000;
/** On a loaded machine: the screen must settle and be looked at. */
const noticeMs = 3000;
