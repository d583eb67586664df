import { Fault, type FaultCode } from '../../shared/fault.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { BackendState } from '../backend.ts';
import type { Command, CommandList } from './command.ts';
import { serverFormat } from './identity.ts';
import type { Answer, AnswerBlock, FaultText, News, WatchOrder } from './link.ts';
import { listPanesOf, type Pane, parsePanes } from './panes.ts';
import type { TmuxPlace } from './place.ts';
import { type Found, ReaderLink } from './reader-link.ts';
import { preparedPrefix } from './send-keys.ts';
import { serverConfig } from './server-config.ts';

/**
 * The connection to our tmux server, as the rest of the backend sees it: lost and found again by
 * the reader, and set up anew each time before anything else may use it. The server behind it may
 * be another one each time.
 */
export class Connection {
  readonly #place: TmuxPlace;
  readonly #events: ConnectionEvents;
  readonly #link: ReaderLink;
  #server: ServerSight | undefined;
  #state: BackendState = { state: 'connecting' };
  #fault: FaultText | undefined;
  /** Counts connections: a set-up that a loss has overtaken must not declare itself done. */
  #generation = 0;

  constructor(place: TmuxPlace, events: ConnectionEvents) {
    this.#place = place;
    this.#events = events;
    this.#link = new ReaderLink(place, {
      connected: (found) => void this.#setUp(found),
      lost: (reason, fault) => this.#lose(reason, fault),
      news: events.news,
    });
  }

  get state(): BackendState {
    return this.#state;
  }

  /** Why tmux cannot be used at all, where that is known. */
  get fault(): Fault | undefined {
    const fault = this.#fault;
    return fault && new Fault(fault.code as FaultCode, fault.message, fault.next);
  }

  get link(): ReaderLink {
    return this.#link;
  }

  server(): ServerSight {
    if (this.#server) return this.#server;
    throw this.fault ?? lostFault('There is no connection to tmux', this.#state.detail);
  }

  /**
   * The answer's blocks; throws when there was none. For what changes nothing, or may be repeated.
   */
  async ask(list: CommandList, options?: AskOptions): Promise<readonly AnswerBlock[]> {
    this.server();
    return requireAnswer(await this.#link.ask(list, options));
  }

  /** For what must not be repeated: the caller decides on what is not known. */
  async tryAsk(list: CommandList, options?: AskOptions): Promise<Answer> {
    if (!this.#server) return { outcome: 'unsent' };
    return this.#link.ask(list, options);
  }

  async listPanes(): Promise<readonly Pane[]> {
    const [block] = await this.ask([listPanesOf(this.#place.ledgerId)]);
    if (block?.isError) throw lostFault('tmux refused to list its panes', block.text);
    const panes = parsePanes(block);
    const linked = await this.#linkAll(panes, this.server());
    if (linked.length > 0) this.#events.unseen(linked);
    return panes;
  }

  /**
   * A pane that a person broke out into a window of its own has left the hub, and nobody saw what
   * it printed since.
   */
  async #linkAll(panes: readonly Pane[], server: ServerSight): Promise<readonly Pane[]> {
    const unlinked = panes.filter(({ sessions }) => !sessions.includes(server.hub));
    for (const window of new Set(unlinked.map(({ window }) => window))) {
      requireAnswer(await this.#link.ask([linkToHub(window, server)]));
    }
    return unlinked;
  }

  close(): Promise<void> {
    this.#generation++;
    this.#server = undefined;
    this.#state = { state: 'down', detail: 'closed' };
    return this.#link.close();
  }

  async #setUp(found: Found): Promise<void> {
    const generation = ++this.#generation;
    try {
      const server = await this.#identify(found);
      // One by one: an option that some version does not know must not keep the rest from being
      // set.
      const settings = [...serverConfig, reportDeaths(server.hubWindow), leaveUndrawn(server.hub)];
      const answers = settings.map((command) => this.#link.ask([command]));
      for (const answer of await Promise.all(answers)) requireAnswer(answer);
      const [listed] = requireAnswer(await this.#link.ask([listPanesOf(this.#place.ledgerId)]));
      const panes = parsePanes(listed);
      for (const { pane, agent, epoch, logPath } of panes) {
        if (agent) this.#link.tell({ kind: 'watch', pane, agent, epoch, logPath });
      }
      await this.#linkAll(panes, server);
      await this.#dropPrepared();
      if (generation !== this.#generation) return;
      this.#link.tell({ kind: 'settled' });
      this.#server = server;
      this.#fault = undefined;
      this.#change({ state: 'ready', version: server.version });
      this.#events.ready(panes);
    } catch (error) {
      reportBug('setting up the connection to tmux', error);
      // Lost meanwhile: the next connection is set up anew.
      if (generation !== this.#generation) return;
      this.#lose((error as Error).message);
      this.#link.tell({ kind: 'reconnect' });
    }
  }

  /** What a daemon that died, or a connection that was lost, has left beside its terminals. */
  async #dropPrepared(): Promise<void> {
    const [listed] = requireAnswer(await this.#link.ask([listBuffers]));
    const names = listed?.text.split('\n').map((line) => line.slice(1)) ?? [];
    const left = names.filter((name) => name.startsWith(preparedPrefix));
    const drops = left.map((name) => this.#link.ask([['delete-buffer', '-b', name]]));
    for (const answer of await Promise.all(drops)) requireAnswer(answer);
  }

  /**
   * The hub is named: tmux reads our first line from the pipe itself, sometimes before it has
   * attached the client (3.3a, once in a dozen starts on a busy machine), and without a target that
   * line is about whichever session was used last.
   */
  async #identify({ version, hub, tmux }: Found): Promise<ServerSight> {
    const format = `s|${serverFormat}|#{version}|#{window_id}`;
    const [said, environment] = requireAnswer(
      await this.#link.ask(
        [
          ['display-message', '-p', '-t', `${hub}:`, format],
          ['show-environment', '-g'],
        ],
        // A variable may be called like a notification.
        { isRaw: true },
      ),
    );
    const [, id = '', running, hubWindow = ''] = said?.text.split('|') ?? [];
    const names = (environment?.text ?? '').matchAll(/^([A-Za-z_]\w*)=/gm);
    return {
      id,
      hub,
      hubWindow,
      tmux,
      version: running || version,
      environment: [...names].map((match) => match[1] ?? ''),
    };
  }

  #lose(reason: string, fault?: FaultText): void {
    this.#generation++;
    this.#server = undefined;
    this.#fault = fault;
    this.#change({ state: fault ? 'down' : 'connecting', detail: reason });
  }

  #change(state: BackendState): void {
    const isNews = state.state !== this.#state.state || state.detail !== this.#state.detail;
    this.#state = state;
    if (isNews) this.#events.state(state);
  }
}

export interface ConnectionEvents {
  readonly state: (state: BackendState) => void;
  readonly ready: (panes: readonly Pane[]) => void;
  readonly news: (news: News) => void;
  /** These printed what we did not see, and are seen again from now on. */
  readonly unseen: (panes: readonly Pane[]) => void;
}

export interface AskOptions {
  readonly isRaw?: boolean;
  readonly watch?: WatchOrder;
}

/** One server, as long as one connection to it lasts. */
export interface ServerSight {
  /** Pane ids begin anew with another one. */
  readonly id: string;
  readonly version: string;
  /** The program that it understands. */
  readonly tmux: string;
  readonly hub: string;
  readonly hubWindow: string;
  /** Names in its global environment, which every pane would inherit. */
  readonly environment: readonly string[];
}

/**
 * Begins with a letter: a buffer may be called like a notification, and `%exit` would end the
 * connection.
 */
const listBuffers: Command = ['list-buffers', '-F', 'b#{buffer_name}'];

function linkToHub(window: string, server: ServerSight): Command {
  return ['link-window', '-d', '-s', window, '-t', `${server.hub}:`];
}

/**
 * A pane whose program ended stays, and control mode says nothing of it. The hook does: a window of
 * the hub is given the name it has, which tmux announces. What a hook runs is silent itself (3.3a),
 * unless it goes through `run-shell -C`, which runs a tmux command and no shell.
 */
function reportDeaths(hubWindow: string): Command {
  const announce: CommandList = [['rename-window', '-t', hubWindow, 'hub']];
  return ['set-hook', '-g', 'pane-died', [['run-shell', '-b', '-C', announce]]];
}

/** Our own client has no screen: tmux need not wake up for its status line. */
function leaveUndrawn(hub: string): Command {
  return ['set-option', '-t', `${hub}:`, 'status-interval', '0'];
}

function requireAnswer(answer: Answer): readonly AnswerBlock[] {
  if (answer.outcome === 'answered') return answer.blocks;
  throw lostFault(
    'tmux did not answer',
    answer.outcome === 'unsent' ? 'nothing was sent' : undefined,
  );
}

export function lostFault(what: string, detail: string | undefined): Fault {
  return new Fault(
    'backend-lost',
    `${what}${detail ? ` (${detail})` : ''}.`,
    'It is connected again by itself; try again, and see `signalbox health` if it lasts.',
  );
}
