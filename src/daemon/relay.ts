import type { FleetSenses } from '../fleet/open.ts';
import type { Log } from '../shared/log.ts';
import type { BackendEvents } from '../terminals/backend.ts';

/** Tells the fleet, once it is open, everything that one backend notices. */
export function relay(
  backend: string,
  log: Log,
  senses: () => FleetSenses | undefined,
): BackendEvents {
  return {
    output: (agent, bytes) => senses()?.onOutput(backend, agent, bytes),
    changed: () => senses()?.onChanged(backend),
    native: (agent, native) => senses()?.onNative(backend, agent, native),
    connection: (state) => {
      log.info({ backend: { name: backend, ...state } }, 'a backend changed its state');
      if (state.state === 'ready') senses()?.onConnected(backend);
    },
    logTrouble: (agent, trouble) =>
      trouble === undefined
        ? log.info({ agent }, 'the raw log of a terminal is written again')
        : log.warn({ agent, trouble }, 'the raw log of a terminal cannot be written'),
  };
}
