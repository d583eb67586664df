import { join } from 'node:path';
import { Book } from '../attention/book.ts';
import { MailNews } from '../attention/mail-news.ts';
import { AttentionWatch } from '../attention/watch.ts';
import {
  type Folders,
  ledgerPath,
  logFolder,
  pageBookPath,
  snapshotFolder,
  spoolFolder,
  toldPath,
  worktreeFolder,
} from '../config/folders.ts';
import type { Settings } from '../config/setting-definitions.ts';
import { loadSettings } from '../config/settings.ts';
import { readSupervisors } from '../config/supervisors.ts';
import { type Delivery, openDelivery } from '../delivery/open-delivery.ts';
import { Bus } from '../events/bus.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { installHookScript } from '../fleet/hook-script.ts';
import { requireLaunchTarget } from '../fleet/launch-target.ts';
import { type FleetSenses, openFleet } from '../fleet/open.ts';
import { Retention } from '../fleet/retention.ts';
import { openProfileShelf } from '../profiles/shelf.ts';
import type { DaemonHealth } from '../protocol/daemon.ts';
import { findVersionWarning } from '../providers/find-version-warning.ts';
import { openProviderShelf } from '../providers/registry.ts';
import { findUsualProvider } from '../providers/usual.ts';
import { createApp } from '../server/app.ts';
import { createContext } from '../server/context.ts';
import { createPage } from '../server/page/page-app.ts';
import type { ServerParts } from '../server/parts.ts';
import { systemClock } from '../shared/clock.ts';
import { createId } from '../shared/ids.ts';
import { KeepTrying } from '../shared/keep-trying.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { isAlive, systemHost } from '../shared/processes.ts';
import { observeLedger } from '../store/observe.ts';
import { openSqliteLedger } from '../store/sqlite/open.ts';
import { clearWaiters } from '../team/clear-waiters.ts';
import type { TeamParts } from '../team/parts.ts';
import { WorkerWatch } from '../team/watch-workers.ts';
import { openTrustBook } from '../trust/book.ts';
import { announceOn } from './announce.ts';
import { askProviders } from './ask-providers.ts';
import { Closers } from './closers.ts';
import { findProviders } from './find-providers.ts';
import { hookProgram, pageFolder } from './hook-program.ts';
import type { Fetch } from './listen.ts';
import { lookFirst } from './look-first.ts';
import { makeShrinkable } from './make-shrinkable.ts';
import { closeEach, openTerminals } from './open-terminals.ts';
import { PageBook } from './page-book.ts';
import { PagePort } from './page-port.ts';
import { showWaiting } from './show-waiting.ts';
import { openTools } from './tools.ts';
import { keepUserToken } from './user-token.ts';

export interface Surroundings {
  readonly folders: Folders;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly version: string;
  /** Where the daemon listens now: a short link to it may have to be made elsewhere. */
  readonly socket: () => string;
  readonly daemon: () => DaemonHealth;
  readonly shutdown: (isReplaced: boolean) => void;
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

/** Parts that are told of what lies beneath them, and are made of it: set once they are open. */
interface Told {
  delivery?: Delivery;
  fleet?: FleetSenses;
}

/**
 * The one place that names concrete things: which ledger, which backends, which providers, and who
 * tells whom. If a step fails, all that was opened before it is closed again.
 */
export async function compose(surroundings: Surroundings): Promise<Parts> {
  const closers = new Closers(surroundings.log);
  try {
    const told: Told = {};
    const base = await openBase(surroundings, closers, told);
    const moving = await openMoving(surroundings, closers, told, base);
    return await serve(surroundings, closers, base, moving);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

type Base = Awaited<ReturnType<typeof openBase>>;
type Moving = Awaited<ReturnType<typeof openMoving>>;

/** What moves nothing by itself: the ledger, the bus, and the shelves of files. */
async function openBase(
  { folders, settings, log }: Surroundings,
  closers: Closers,
  told: Pick<Told, 'delivery'>,
) {
  const clock = systemClock;
  // Before the ledger is opened, and so migrated: a hook that finds no daemon writes to the ledger
  // itself, and must know its form.
  const hookCommand = await installHookScript(join(folders.state, 'hooks'), {
    runFolder: listFleetFolders(folders).run,
    fallback: [process.execPath, ...hookProgram(), ledgerPath(folders)],
  });
  const stored = await openSqliteLedger(ledgerPath(folders), {
    isLongLived: true,
    clock,
    lockWaitMs: settings['lock-wait'].value,
  });
  closers.add('the ledger', () => stored.close());
  await makeShrinkable(stored, log);
  const bus = new Bus({
    clock,
    boot: createId('boot', clock.now()),
    onError: (error, subscriber) =>
      log.error({ subscriber, ...errorFacts(error) }, 'a subscriber failed'),
  });
  closers.add('the bus', () => bus.close());
  const mailNews = new MailNews({ ledger: stored, bus });
  await mailNews.start();
  const ledger = observeLedger(stored, (changes) => {
    for (const change of changes) {
      const { id, state, from, to } = change;
      mailNews.note(change);
      bus.publish({ kind: 'message', message: id, data: { state, from, to } });
      if (state === 'queued') told.delivery?.look(to);
    }
  });
  const providers = openProviderShelf(folders, (trouble) =>
    log.warn({ error: trouble.message }, 'a detector file is left out'),
  );
  const profiles = openProfileShelf(folders);
  const trust = openTrustBook(folders);
  return { ledger, bus, mailNews, providers, profiles, trust, hookCommand };
}

/** What moves messages and agents: delivery, the backends, the fleet and the team. */
async function openMoving(
  outside: Surroundings,
  closers: Closers,
  told: Told,
  { ledger, bus, providers, profiles, trust, hookCommand }: Base,
) {
  const { folders, settings, env, log } = outside;
  const surroundings = { clock: systemClock, host: systemHost };
  const delivery = openDelivery({
    ...{ ledger, surroundings, log, isAlive },
    limits: {
      blocks: settings['block-budget'].value,
      wakes: settings['wake-budget'].value,
      scripts: settings['script-budget'].value,
      noticeAfterMs: settings['notice-after'].value,
    },
  });
  closers.add('delivery', () => delivery.close());
  told.delivery = delivery;
  const backends = openTerminals(outside, ledger.id, () => told.fleet);
  closers.add('the backends', () => closeEach(backends.opened()));
  const tools = openTools({ ledger, bus, clock: systemClock, log, stateFolder: folders.state });
  const ownEnv = listOwn(env);
  const fleet = openFleet({
    ...{ ledger, delivery, surroundings, backends, providers, profiles, trust, log, ownEnv },
    limits: {
      ...{ depth: settings['depth-limit'].value, breadth: settings['breadth-limit'].value },
      idleStopMs: settings['idle-stop'].value,
    },
    folders: listFleetFolders(folders),
    announce: showWaiting(announceOn(bus), () => backends.opened()),
    agentEnv: addressUs(outside),
    tools: (role) => tools.serverFor(role),
    hookCommand,
  });
  closers.add('the fleet', () => fleet.close());
  told.fleet = fleet;
  // As config.yaml has it now: `config set` holds for the next launch.
  const defaultProvider = async () => {
    const usual = (await loadSettings(folders, env))['default-provider'];
    return findUsualProvider(usual, providers, env['PATH'] ?? '');
  };
  const targets = { providers, profiles, trust, defaultProvider };
  const workers = new WorkerWatch({ ledger, bus, fleet, log, clock: systemClock });
  const team: TeamParts = {
    ...{ ledger, surroundings, bus, fleet, workers },
    breadth: settings['breadth-limit'].value,
    findTarget: (name, cwd) => requireLaunchTarget(targets, { name, cwd }),
    forgetsCalls: askProviders(providers).forgetsCalls,
  };
  const waiters = new KeepTrying({
    ...{ clock: systemClock, log, what: 'ending the waits of processes that are gone' },
    work: () => clearWaiters(team),
  });
  closers.add('the end of old waits', () => waiters.close());
  await waiters.start();
  await fleet.start();
  // Closed before the fleet, which does its work.
  closers.add('the watch on workers', () => workers.close());
  workers.start();
  return { delivery, tools, fleet, team, ownEnv };
}

/** What lets others in, and what runs only while somebody may come in. */
async function serve(
  { folders, settings, env, log, version, daemon, shutdown }: Surroundings,
  closers: Closers,
  { ledger, bus, mailNews, providers }: Base,
  { delivery, tools, fleet, team, ownEnv }: Moving,
): Promise<Parts> {
  const ending = new AbortController();
  const { routesOf, isWokenOf, toolCallMsOf } = askProviders(providers);
  const dashboard = new PagePort({
    ...{ book: new PageBook(pageBookPath(folders)), assetFolder: pageFolder() },
    ...{ clock: systemClock, log },
  });
  const parts: ServerParts = {
    dashboard,
    ...{ ledger, fleet, team, bus, mailNews, delivery, log, version, ownEnv, shutdown },
    ...{ clock: systemClock, host: systemHost, hookDesk: delivery },
    ledgerPath: ledgerPath(folders),
    bodyLimit: settings['body-limit'].value,
    userToken: keepUserToken(folders),
    daemon: () => ({ ...daemon(), subscribers: bus.subscribers }),
    providers: () => findProviders(providers, env),
    ...{ routesOf, isWokenOf, toolCallMsOf },
    versionWarningOf: (provider, cli) => findVersionWarning(folders, provider, cli),
    // As config.yaml has it now: what the user takes back holds at once.
    supervisorsAnswer: () => readSupervisors(folders, env),
    ending: ending.signal,
  };
  const app = createApp(parts);
  const fetch: Fetch = (request, carried) => app.fetch(request, carried);
  closers.add('the tools', () => tools.close());
  await tools.start(fetch);
  closers.add('the dashboard', () => dashboard.close());
  await dashboard.start((made) => {
    const page = createPage({
      ...{ ...made, log, context: createContext(parts) },
      api: (request, carried) => app.fetch(request, carried),
      daemon: { version, startedAt: new Date(systemClock.now()).toISOString() },
    });
    return (request, carried) => page.fetch(request, carried);
  });
  const retention = new Retention({
    ...{ ledger, clock: systemClock, log, folders: listFleetFolders(folders) },
    retentionMs: settings.retention.value,
  });
  closers.add('retention', () => retention.close());
  retention.start();
  const attention = new AttentionWatch({
    ...{ ledger, fleet, bus, clock: systemClock, log, env: ownEnv },
    book: new Book(toldPath(folders)),
    markName: 'SIGNALBOX_TOLD_BY',
    settings: async () => {
      const now = await loadSettings(folders, env);
      return {
        desktop: now['desktop-notifications'].value,
        command: now['on-attention'].value,
      };
    },
  });
  closers.add('attention', () => attention.close());
  attention.start();
  return {
    fleet,
    bus,
    fetch: lookFirst(fetch, delivery),
    endWaits: () => ending.abort(),
    close: () => closers.close(),
  };
}

/** Without SIGNALBOX_HOME an agent finds the same folders that we did, by the same variables. */
function addressUs({ folders, env, socket }: Surroundings) {
  return {
    get SIGNALBOX_SOCKET() {
      return socket();
    },
    ...(env['SIGNALBOX_HOME'] ? { SIGNALBOX_HOME: folders.state } : {}),
  };
}

function listFleetFolders(folders: Folders) {
  return {
    run: join(folders.state, 'run', 'agents'),
    logs: join(logFolder(folders), 'agents'),
    snapshots: snapshotFolder(folders),
    worktrees: worktreeFolder(folders),
    spool: spoolFolder(folders),
  };
}

function listOwn(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
