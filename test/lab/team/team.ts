import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userAgentId } from '../../../src/agents/agent.ts';
import type { AgentView } from '../../../src/protocol/agents.ts';
import type { InboxList, MessageView } from '../../../src/protocol/messages.ts';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { WaitedInVain, waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { CannotBe, must } from '../life/check.ts';
import { Hands } from '../life/hands.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import type { Step } from '../mock-llm/directives.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { CliName } from '../versions.ts';
import { readEntries } from './conversation-of.ts';
import { Dialogs } from './dialogs.ts';

/** The worker that most cases work with; the supervisor is the life's own agent. */
export const worker = 'worker';
/** Another supervisor, in a terminal of its own. */
export const second = 'second';
/** In a project's own profile: how a person describes a worker. */
export const profile = 'lab-worker';

/**
 * The last words of a worker that has answered before: its completion wakes nobody and waits for
 * the next turn (rule 30).
 */
export const reported = 'I have reported.';

/** How long nothing may happen before a case counts as over: what comes twice comes within it. */
const quietMs = 1500;
/** A prompt that has not reached the model by then may still stand in the composer. */
const nudgeMs = 20_000;

/**
 * A supervisor and its workers, all real CLIs: their models do what the lab has taught the mock,
 * and nobody else knows it.
 */
export class Team {
  readonly life: Life;
  readonly dialogs: Dialogs;
  /** Given to workers by their profile alone. */
  readonly profileWord = createWord();

  constructor(life: Life, approveKeys?: readonly string[]) {
    this.life = life;
    this.dialogs = new Dialogs(life, approveKeys);
  }

  get cli(): CliName {
    return this.life.lab.name;
  }

  /** The words by which one model, and no other, is made to do this. */
  teach(...steps: readonly Step[]): string {
    const name = createWord();
    this.life.mock.teach(name, steps);
    return `::play ${name}`;
  }

  /**
   * The same for a task: it is answered even if something else is said to that model before it
   * could answer.
   */
  teachTask(...steps: readonly Step[]): string {
    const name = createWord();
    this.life.mock.teach(name, steps, 'owed');
    return `::play ${name}`;
  }

  /**
   * A person tells the supervisor to do this; gives the words by which its conversation is known.
   */
  async tell(...steps: readonly Step[]): Promise<string> {
    const said = this.teach(...steps);
    await this.life.ask(said);
    return said;
  }

  /** The same, by whoever sits at another terminal. */
  async tellAt(hands: Hands, ...steps: readonly Step[]): Promise<string> {
    const said = this.teach(...steps);
    await hands.submit(said);
    const isIt = ({ isSide, lastUserText }: LoggedRequest): boolean =>
      !isSide && lastUserText.includes(said);
    for (let tries = 0; tries < 3 && !this.life.mock.requests.some(isIt); tries++) {
      await this.life.mock.waitFor(isIt, nudgeMs).catch(() => hands.nudge(said));
    }
    await this.life.mock.waitFor(isIt, patienceMs);
    return said;
  }

  async handsOf(name: string): Promise<Hands> {
    const { argv } = await this.life.box.ask<AttachView>(['attach', name]);
    return new Hands(argv);
  }

  /** Another supervisor, which rests; whoever asks for it removes it. */
  async readySecond(): Promise<Hands> {
    await this.remove(second);
    const hands = await this.life.launchBeside(second);
    const { id = '' } = (await this.find(second)) ?? {};
    const isReady = (): boolean =>
      this.life.log.of(id).some((event) => isAtRest(event) && event.composer === 'empty');
    await waitUntil('the second supervisor', isReady, patienceMs);
    return hands;
  }

  /** Requests to the model whose newest words are these: a turn of whoever was told them. */
  turnsOf(words: string): readonly LoggedRequest[] {
    return this.life.mock.requests.filter(
      ({ isSide, lastUserText }) => !isSide && lastUserText.includes(words),
    );
  }

  /** The first request that it is true of; a question to a person ends the wait. */
  async sees(
    what: string,
    isIt: (request: LoggedRequest) => boolean,
    deadlineMs = patienceMs,
  ): Promise<LoggedRequest> {
    const { requests } = this.life.mock;
    const look = async (): Promise<LoggedRequest | undefined> => {
      const found = requests.find((request) => !request.isSide && isIt(request));
      if (!found) await this.dialogs.attend();
      return found;
    };
    return await waitUntil(what, look, deadlineMs).catch((error: unknown) => {
      const seen = requests.slice(-8).map(({ n, isSide, callsSince, lastUserText, outcome }) => {
        const text = JSON.stringify(lastUserText.slice(-100));
        return `#${n}${isSide ? ' (side)' : ''} ${text} +${callsSince} ${outcome ?? 'open'}`;
      });
      throw error instanceof WaitedInVain
        ? new Error(`${error.message}; the model got\n${seen.join('\n')}`)
        : error;
    });
  }

  /** A turn that began with these words has reached the model. */
  begins(words: string): Promise<LoggedRequest> {
    return this.sees('the task at the worker’s model', ({ lastUserText }) =>
      lastUserText.includes(words),
    );
  }

  /** The first request of the conversation in which those words were said that holds the secret. */
  learns(said: string, word: string, deadlineMs = patienceMs): Promise<LoggedRequest> {
    const isIt = (request: LoggedRequest): boolean => {
      if (!request.body.includes(said) || !request.body.includes(word)) return false;
      return readEntries(request).some(
        (entry) => (entry.kind === 'user' || entry.kind === 'result') && entry.text.includes(word),
      );
    };
    return this.sees(`${word} in the conversation`, isIt, deadlineMs);
  }

  /** How it stands in a request: as a call's result, or as words that were said to the model. */
  placeOf(request: LoggedRequest, word: string): 'result' | 'user' | undefined {
    const entry = readEntries(request).findLast(
      (one) => (one.kind === 'user' || one.kind === 'result') && one.text.includes(word),
    );
    return entry?.kind === 'result' || entry?.kind === 'user' ? entry.kind : undefined;
  }

  /** The newest request of the conversation in which those words were said. */
  latest(said: string): LoggedRequest | undefined {
    return this.life.mock.requests.findLast(({ isSide, body }) => !isSide && body.includes(said));
  }

  /** It stands in one place only of what the model was told, and not as two messages. */
  isOnce(last: LoggedRequest | undefined, word: string): void {
    if (!last) throw new Error('its conversation is gone');
    const heard = readEntries(last).filter(
      (entry) => (entry.kind === 'user' || entry.kind === 'result') && entry.text.includes(word),
    );
    must(heard.length === 1, `it stands in ${heard.length} places of the conversation`);
    const [entry] = heard;
    const copies = entry?.kind === 'user' ? entry.text.split(word).length - 1 : 1;
    must(copies === 1, `${copies} copies stand in one message`);
  }

  async list(): Promise<readonly AgentView[]> {
    return (await this.life.box.ask<{ readonly agents: readonly AgentView[] }>(['ls'])).agents;
  }

  async find(name: string): Promise<AgentView | undefined> {
    return (await this.list()).find((agent) => agent.name === name);
  }

  async inbox(name: string): Promise<readonly MessageView[]> {
    const asked = ['inbox', 'list', name, '--state', 'all'];
    return (await this.life.box.ask<InboxList>(asked)).messages;
  }

  /** One that rests: of a case before, or new. */
  async readyWorker(): Promise<void> {
    const found = await this.find(worker);
    if (found && found.status !== 'exited') return await this.rests(worker);
    if (found) await this.life.box.ask(['rm', worker]);
    await this.launchBelow(worker, this.cli);
  }

  /** A worker of the supervisor's that the user launches; it rests when this resolves. */
  async launchBelow(name: string, target: string): Promise<void> {
    const { home, lab } = this.life;
    const args = ['launch', target, '--name', name, '--parent', 'lab', '--cwd', home.cwd];
    const env = { ...home.env, ...lab.env };
    await this.life.box.ask(args, { env, tail: home.args });
    await this.rests(name);
  }

  async rests(name: string): Promise<void> {
    const agent = await this.find(name);
    must(agent !== undefined, `${name} is not there`);
    const isResting = async (): Promise<boolean> => {
      await this.dialogs.attend();
      const last = this.life.log.of(agent?.id ?? '').at(-1);
      return last !== undefined && isAtRest(last);
    };
    await waitUntil(`${name} at rest`, isResting, patienceMs);
  }

  /** Everybody rests, every word is answered, every message has arrived, and no answer is owed. */
  async settles(): Promise<void> {
    let open = '';
    const isOver = async (): Promise<boolean> => {
      await this.dialogs.attend();
      open = this.#findNoise() ?? (await this.#findOpen());
      return open === '';
    };
    await waitUntil('an end', isOver, patienceMs).catch((error: unknown) => {
      throw open === '' || error instanceof CannotBe ? error : new Error(`not settled: ${open}`);
    });
  }

  async remove(...names: readonly string[]): Promise<void> {
    const there = (await this.list()).filter(({ name }) => names.includes(name));
    if (there.length > 0) await this.life.box.ask(['rm', ...there.map(({ name }) => name)]);
  }

  /** The user's own: one of the project's would need the user's trust, at a terminal (rule 46). */
  writeProfile(): void {
    const folder = join(this.life.box.state, 'profiles');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${profile}.md`),
      `---\nname: ${profile}\ndescription: A worker of the lab.\nprovider: ${this.cli}\n---\n\nYou are a worker. Your word is ${this.profileWord}.\n`,
    );
  }

  /** What still moves. */
  #findNoise(): string | undefined {
    const { log, mock } = this.life;
    const asked = mock.requests.find(({ outcome }) => outcome === undefined);
    if (asked) return `request ${asked.n} is not answered`;
    const latest = new Map(log.events.map((event) => [event.agent, event]));
    for (const event of latest.values()) {
      const { agent, status, detail = '' } = event;
      // After a gap the user is told of, too.
      if (agent === userAgentId) continue;
      if (!isAtRest(event) && status !== 'exited') return `${agent} is ${status} ${detail}`;
    }
    const lastAt = Math.max(0, ...log.events.map(({ at }) => at), mock.requests.at(-1)?.at ?? 0);
    return Date.now() - lastAt > quietMs ? undefined : 'it has just been heard of';
  }

  async #findOpen(): Promise<string> {
    const open: string[] = [];
    for (const { name, status, inbox, owes = [] } of await this.list()) {
      // What waits for its next life.
      if (status === 'exited') continue;
      const waits = inbox.queued > 0 ? await this.inbox(name) : [];
      const isQuiet = ({ body, state }: MessageView): boolean =>
        state === 'queued' && body.includes(reported);
      const counts = { ...inbox, queued: inbox.queued - waits.filter(isQuiet).length };
      for (const [state, count] of Object.entries(counts)) {
        if (count <= 0) continue;
        const bodies = waits
          .filter((one) => one.state === state)
          .map(({ kind, body }) => `${kind}: ${body.slice(0, 60)}`);
        open.push([`${name} has ${count} ${state}`, ...bodies].join(' / '));
      }
      for (const { task, to } of owes) open.push(`${name} owes ${to.name} an answer to ${task}`);
    }
    return open.join(', ');
  }
}
