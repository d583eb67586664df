import { join } from 'node:path';
import {
  type Folders,
  ledgerPath,
  logFolder,
  spoolFolder,
  worktreeFolder,
} from '../config/folders.ts';
import { type Settings, terminalChoices } from '../config/settings.ts';
import { type Delivery, openDelivery } from '../delivery/open-delivery.ts';
import { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { installHookScript } from '../fleet/hook-script.ts';
import { requireLaunchTarget } from '../fleet/launch-target.ts';
import { type FleetSenses, openFleet } from '../fleet/open.ts';
import { Retention } from '../fleet/retention.ts';
import { openProfileShelf } from '../profiles/shelf.ts';
import type { DaemonHealth } from '../protocol/daemon.ts';
import { openProviderShelf } from '../providers/registry.ts';
import { createApp } from '../server/app.ts';
import { systemClock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { createId } from '../shared/ids.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { isAlive, systemHost } from '../shared/processes.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger } from '../store/ledger.ts';
import { observeLedger } from '../store/observe.ts';
import { openSqliteLedger } from '../store/sqlite/open.ts';
import { clearWaiters } from '../team/clear-waiters.ts';
import type { TeamParts } from '../team/parts.ts';
import type { BackendEvents } from '../terminals/backend.ts';
import { openBackends } from '../terminals/backends.ts';
import { openHerdrBackend } from '../terminals/herdr/backend.ts';
import { openTmuxBackend } from '../terminals/tmux/backend.ts';
import { openTrustBook } from '../trust/book.ts';
import { announceOn } from './announce.ts';
import { findProviders } from './find-providers.ts';
import { hookProgram } from './hook-program.ts';
import type { Fetch } from './listen.ts';
import { lookFirst } from './look-first.ts';
import { openTools } from './tools.ts';

export interface Surroundings {
  readonly folders: Folders;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly version: string;
  /** Where the daemon listens now: a short link to it may have to be made elsewhere. */
  readonly socket: () => string;
  readonly daemon: () => DaemonHealth;
  readonly shutdown: () => void;
}

export interface Parts {
  readonly fleet: Fleet;
  readonly bus: Bus;
  readonly fetch: Fetch;
  /** Lets go of requests that wait for something to happen. */
  endWaits(): void;
  /** Releases everything; agents and their terminals live on. */
  close(): Promise<void>;
}

/**
 * The one place that names concrete things: which ledger, which backends, which providers, and who
 * tells whom.
 */
export async function compose(surroundings: Surroundings): Promise<Parts> {
  const { folders, settings, env, log, version, socket } = surroundings;
  const clock = systemClock;
  const stored = await openSqliteLedger(ledgerPath(folders), {
    isLongLived: true,
    clock,
    lockWaitMs: settings['lock-wait'].value,
  });
  await makeShrinkable(stored, log);
  const bus = new Bus({
    clock,
    boot: createId('boot', clock.now()),
    onError: (error, subscriber) =>
      log.error({ subscriber, ...errorFacts(error) }, 'a subscriber failed'),
  });
  // Delivery looks at what is committed, and commits itself: hence the detour.
  let delivery: Delivery | undefined;
  let closeOpened: (() => Promise<void>) | undefined;
  const ledger = observeLedger(stored, (changes) => {
    for (const { id, state, from, to } of changes) {
      bus.publish({ kind: 'message', message: id, data: { state, from, to } });
      if (state === 'queued') delivery?.look(to);
    }
  });
  try {
    const providers = openProviderShelf(folders, (trouble) =>
      log.warn({ error: trouble.message }, 'a detector file is left out'),
    );
    const profiles = openProfileShelf(folders);
    const trust = openTrustBook(folders);
    const defaultProvider = settings['default-provider'].value;
    const targets = { providers, profiles, trust, defaultProvider };
    // The backends tell the fleet, which is made of them: hence the detour.
    let senses: FleetSenses | undefined;
    const optionsOf = (name: string) => ({
      clock,
      stateFolder: folders.state,
      ledgerId: ledger.id,
      env,
      events: relay(name, log, () => senses),
    });
    const backends = openBackends({
      default: settings.terminal.value,
      names: terminalChoices,
      open: {
        tmux: (name) => openTmuxBackend(optionsOf(name)),
        herdr: (name) =>
          openHerdrBackend({ ...optionsOf(name), session: settings['herdr-session'].value }),
      },
    });
    // What was opened is closed again: a client of a terminal's server may live for ever on its
    // own.
    closeOpened = async () => {
      await Promise.all(backends.opened().map((backend) => backend.close()));
    };
    delivery = openDelivery({
      ledger,
      surroundings: { clock, host: systemHost },
      limits: {
        blocks: settings['block-budget'].value,
        wakes: settings['wake-budget'].value,
        scripts: settings['script-budget'].value,
        noticeAfterMs: settings['notice-after'].value,
      },
      log,
      isAlive,
    });
    const ownEnv = Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    // Served by the app, which is made of the fleet: hence the detour.
    let serve: Fetch | undefined;
    const tools = openTools({
      ledger,
      bus,
      clock,
      log,
      stateFolder: folders.state,
      fetch: (request, carried) => serve?.(request, carried) ?? new Response(null, { status: 503 }),
    });
    const fleetFolders = {
      run: join(folders.state, 'run', 'agents'),
      logs: join(logFolder(folders), 'agents'),
      snapshots: join(folders.state, 'snapshots'),
      worktrees: worktreeFolder(folders),
      spool: spoolFolder(folders),
    };
    const retention = new Retention({
      ...{ ledger, clock, log, folders: fleetFolders },
      retentionMs: settings.retention.value,
    });
    const fleet = openFleet({
      ledger,
      delivery,
      surroundings: { clock, host: systemHost },
      backends,
      providers,
      profiles,
      trust,
      limits: {
        depth: settings['depth-limit'].value,
        breadth: settings['breadth-limit'].value,
      },
      folders: fleetFolders,
      announce: announceOn(bus),
      log,
      // Without SIGNALBOX_HOME an agent finds the same folders that we did, by the same variables.
      agentEnv: {
        get SIGNALBOX_SOCKET() {
          return socket();
        },
        ...(env['SIGNALBOX_HOME'] ? { SIGNALBOX_HOME: folders.state } : {}),
      },
      ownEnv,
      tools: (role) => tools.serverFor(role),
      hookCommand: await installHookScript(join(folders.state, 'hooks'), {
        runFolder: fleetFolders.run,
        fallback: [process.execPath, ...hookProgram(), ledgerPath(folders)],
      }),
    });
    senses = fleet;
    const team: TeamParts = {
      ledger,
      surroundings: { clock, host: systemHost },
      bus,
      fleet,
      findTarget: (name, cwd) => requireLaunchTarget(targets, { name, cwd }),
      forgetsCalls: async (name) =>
        (await providers.find(name).catch(notDescribed))?.capabilities.forgetsCalls === true,
    };
    closeOpened = () => fleet.close();
    await clearWaiters(team);
    await fleet.start();
    const ending = new AbortController();
    const app = createApp({
      ledger,
      ledgerPath: ledgerPath(folders),
      fleet,
      team,
      bus,
      clock,
      host: systemHost,
      log,
      version,
      bodyLimit: settings['body-limit'].value,
      daemon: () => ({ ...surroundings.daemon(), subscribers: bus.subscribers }),
      providers: () => findProviders(providers, env),
      routesOf: async (name) =>
        providers.find(name).then(({ capabilities }) => capabilities.routes, notDescribed),
      isWokenOf: async (name) =>
        providers.find(name).then(
          ({ capabilities: { routes, pastes } }) =>
            routes.includes('native') || (routes.includes('paste') && pastes !== 'notice'),
          (error) => notDescribed(error) ?? false,
        ),
      ownEnv,
      toolCallMsOf: async (name) =>
        providers.find(name).then(({ capabilities }) => capabilities.toolCallMs, notDescribed),
      shutdown: surroundings.shutdown,
      ending: ending.signal,
      delivery,
      hookDesk: delivery,
    });
    const close = async (): Promise<void> => {
      bus.close();
      await retention.close();
      await tools.close();
      await fleet.close();
      await delivery?.close();
      await ledger.close();
    };
    const fetch: Fetch = (request, carried) => app.fetch(request, carried);
    serve = fetch;
    await tools.start();
    retention.start();
    return {
      fleet,
      bus,
      fetch: lookFirst(fetch, delivery),
      endWaits: () => ending.abort(),
      close,
    };
  } catch (error) {
    bus.close();
    await closeOpened?.();
    await delivery?.close();
    await ledger.close();
    throw error;
  }
}

/**
 * Of what is in use: a second of a start at most. A larger ledger is made so when retention has
 * done its work, or by `doctor --fix`.
 */
const mostRebuilt = 64 * 1024 * 1024;

/**
 * A ledger of an earlier version, before anybody is served: the file can then give freed pages
 * back. Without it nothing is lost.
 */
async function makeShrinkable({ space }: Ledger, log: Log): Promise<void> {
  try {
    await reachFailPoint('space.rebuild');
    const outcome = await space.rebuild(mostRebuilt);
    if (outcome !== 'not-needed') log.info({ outcome }, "the ledger's file is made to shrink");
  } catch (error) {
    reportBug("rebuilding the ledger's file", error);
    log.warn({ error: String(error) }, "the ledger's file could not be rebuilt");
  }
}

/** A provider that config.yaml describes no longer, of an agent that still runs. */
function notDescribed(error: unknown): undefined {
  reportBug("finding an agent's provider", error);
}

function relay(backend: string, log: Log, senses: () => FleetSenses | undefined): BackendEvents {
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
