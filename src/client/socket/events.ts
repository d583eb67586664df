import type { EventList, EventView } from '../../protocol/events.ts';
import { systemClock } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import type { DaemonLink } from './daemon-link.ts';
import { readStream } from './http.ts';

/** How long a stream waits for the daemon to come back. */
const patienceMs = 10_000;

export async function recentEvents(
  link: DaemonLink,
  patterns: readonly string[],
): Promise<readonly EventView[]> {
  const request = { method: 'GET', path: `/events/recent${query(patterns)}` } as const;
  return (await link.ask<EventList>(request)).events;
}

/**
 * Events from now on. When the daemon goes away the stream waits for it to be started again, by
 * whomever, and goes on after the last event it saw; what cannot be made up for comes as a `gap`.
 * It starts no daemon that somebody has just ended. It ends with `over`.
 */
export async function* watchEvents(
  link: DaemonLink,
  patterns: readonly string[],
  over?: AbortSignal,
): AsyncGenerator<EventView, void> {
  // A signal tells nobody a second time.
  if (over?.aborted) return;
  const end = new AbortController();
  const stop = (): void => end.abort();
  over?.addEventListener('abort', stop);
  const request = { method: 'GET', path: `/events${query(patterns)}` } as const;
  // Unless an event came, a restart in between can only be told by asking for an id that no daemon
  // knows.
  let lastEventId = 'none-0';
  try {
    let response = await link.open(request, end.signal);
    for (;;) {
      for await (const data of readStream(response)) {
        const event = JSON.parse(data) as EventView;
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
      const endsAtMs = systemClock.monotonicMs() + patienceMs;
      for (;;) {
        if (over?.aborted) return;
        const again = await link.reopen({ ...request, lastEventId }, end.signal);
        if (again) {
          response = again;
          break;
        }
        if (systemClock.monotonicMs() >= endsAtMs) throw ended();
        await systemClock.sleep(100);
      }
    }
  } catch (error) {
    // Whoever reads it had enough while it was opened.
    if (!over?.aborted) throw error;
  } finally {
    over?.removeEventListener('abort', stop);
    end.abort();
  }
}

function query(patterns: readonly string[]): string {
  if (patterns.length === 0) return '';
  return `?${patterns.map((pattern) => `topic=${encodeURIComponent(pattern)}`).join('&')}`;
}

function ended(): Fault {
  return new Fault(
    'daemon-unavailable',
    'The daemon ended and did not come back.',
    'Start it with `signalbox up`, then run the command again.',
  );
}
