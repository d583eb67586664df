import type { Clock } from '../../shared/clock.ts';
import { parseKeyName } from '../../shared/key-name.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Terminal } from '../terminal.ts';
import { boundKey, changeKey } from './attach-key.ts';
import type { Command, CommandList } from './command.ts';
import { describeShown, narrow, type ShownAgent, variables, wide } from './status-format.ts';

/** The key's setting is read again this seldom. */
const keyEveryMs = 5000;

export interface StatusLineParts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The `attach-key` setting as it is now: a key, or `off`. */
  readonly attachKey: () => Promise<string>;
  /** What our server is now; undefined where there is no connection. */
  readonly server: () => { readonly id: string; readonly hub: string } | undefined;
  /** The id of the session that a pane is in. */
  readonly sessionOf: (pane: string) => string | undefined;
  readonly ask: (list: CommandList) => Promise<readonly { readonly text: string }[]>;
}

/**
 * What people read below an agent's screen while they are attached: who that is, its status, how
 * many others wait, and the key that leads back. It owns what was last told of each agent and which
 * of that tmux has; it touches hidden variables of our server and one key. Those draw nothing: tmux
 * reads them every two seconds for each person who is attached, and draws what has changed, so an
 * agent at which nobody looks costs one short command for each of its changes (0.1 ms in tmux
 * 3.3a). A loss of the connection costs nothing: all is written again. With the daemon gone, the
 * line says so by itself (`status-format.ts`).
 */
export class StatusLine {
  readonly #parts: StatusLineParts;
  readonly #shown = new Map<string, { readonly terminal: Terminal; readonly agent: ShownAgent }>();
  /** Panes that the last list of all had not: a list may have begun before a launch had ended. */
  #missed: ReadonlySet<string> = new Set();
  /** What tmux has, by its variables; of one server, over one connection. */
  readonly #written = new Map<string, string>();
  #server: string | undefined;
  #waiting: ReadonlySet<string> = new Set();
  #keyDueAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #turn: Promise<void> = Promise.resolve();
  #isQueued = false;

  constructor(parts: StatusLineParts) {
    this.#parts = parts;
  }

  report(terminal: Terminal, agent: ShownAgent): void {
    this.#shown.set(terminal.pane, { terminal, agent });
    this.update();
  }

  reportWaiting(agents: ReadonlySet<string>): void {
    this.#waiting = agents;
    this.update();
  }

  forget(pane: string): void {
    this.#shown.delete(pane);
  }

  /** All panes were listed: what two lists have missed is gone, and so is what its session had. */
  listed(): void {
    const { sessionOf } = this.#parts;
    const missed = [...this.#shown.keys()].filter((pane) => sessionOf(pane) === undefined);
    for (const pane of missed) if (this.#missed.has(pane)) this.#shown.delete(pane);
    this.#missed = new Set(missed);
    const sessions = new Set([...this.#shown.keys()].map(sessionOf));
    for (const key of this.#written.keys()) {
      const [place = ''] = key.split(' ');
      if (place.startsWith('$') && !sessions.has(place)) this.#written.delete(key);
    }
    this.update();
  }

  /** Another connection, perhaps to another server: what it has, nobody knows. */
  reset(): void {
    this.#written.clear();
    this.#keyDueAt = Number.NEGATIVE_INFINITY;
    this.update();
  }

  /** Somebody is about to attach: the key is the one that is set now. */
  lookAtKey(): void {
    this.#keyDueAt = Number.NEGATIVE_INFINITY;
    this.update();
  }

  /** Writes what is due; what comes meanwhile is written together. */
  update(): void {
    if (this.#isQueued || this.#isClosed) return;
    this.#isQueued = true;
    this.#turn = this.#turn.then(async () => {
      this.#isQueued = false;
      // The connection was lost meanwhile, say: the next one gets all of it.
      await this.#write().catch((error: unknown) => reportBug('the status line', error));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
  }

  async #write(): Promise<void> {
    const server = this.#parts.server();
    if (!server) return;
    if (server.id !== this.#server) this.#written.clear();
    this.#server = server.id;
    await this.#writeKey(server.hub);
    await this.#set('-g', variables.waiting, String(this.#waiting.size));
    for (const [pane, { terminal, agent }] of this.#shown) {
      const session = terminal.server === server.id ? this.#parts.sessionOf(pane) : undefined;
      if (session === undefined) continue;
      await this.#set(session, variables.agent, describeShown(agent, wide));
      await this.#set(session, variables.brief, describeShown(agent, narrow));
      await this.#set(session, variables.waits, this.#waiting.has(terminal.agent) ? '1' : '');
    }
  }

  async #set(place: string, name: string, value: string): Promise<void> {
    const key = `${place} ${name}`;
    if (this.#written.get(key) === value) return;
    const target = place === '-g' ? ['-g'] : ['-t', place];
    const command: Command = ['set-environment', ...target, '-h', name, value];
    await this.#parts.ask([command]);
    this.#written.set(key, value);
  }

  async #writeKey(hub: string): Promise<void> {
    const { attachKey, ask, clock } = this.#parts;
    const now = clock.monotonicMs();
    if (now < this.#keyDueAt) return;
    this.#keyDueAt = now + keyEveryMs;
    const wanted = await attachKey();
    if (this.#written.get(boundKey) === wanted) return;
    // An earlier daemon may have bound another one.
    const format = `k#{${boundKey}}`;
    const [said] = await ask([['display-message', '-p', '-t', `${hub}:`, format]]);
    await ask(changeKey(said?.text.slice(1) ?? '', parseKeyName(wanted)));
    this.#written.set(boundKey, wanted);
  }
}
