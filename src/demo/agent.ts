import { writeSync } from 'node:fs';
import type { DirectClient } from '../client/client.ts';
import { openDirectClient } from '../client/direct/open.ts';
import { findFolders } from '../config/folders.ts';
import { systemClock } from '../shared/clock.ts';
import { readStartTime } from '../shared/processes.ts';
import { type Fact, type HoldPlace, Journal, JournalReader } from './journal.ts';
import { readOrders } from './orders.ts';
import { openTerminal } from './scripted/open-terminal.ts';
import type { Turn, TurnEnd } from './scripted/turn.ts';
import { TaskBook } from './task-book.ts';
import { answer, commandIn, type Letter, lead } from './team.ts';

/**
 * The program that each agent of the demo runs in its terminal: an outsider that knows the client and its own name. When
 * something waits in its inbox it takes a turn: it takes the messages, reads them, works, answers, and only then confirms; so
 * a kill anywhere leaves something that is handed out again, and answers that are written again under the same keys.
 * `demo-agent.cjs <beat>`: all its waiting is counted in beats of so many milliseconds.
 */

/** Between two looks into an empty inbox. */
const lookEveryMs = 100;
const leastRestMs = 350;
/** Between two looks at the orders of one that is held. */
const holdMs = 20;
/** Messages taken at once; what one kill can make uncertain. */
const atOnce = 2;
/** Of the lead, to whom all answers come: one turn for many of them. */
const atOnceForLead = 10;
const beats = { read: 0.7, work: 2, give: 0.4, rest: 1.2 } as const;

class DemoAgent {
  readonly #client: DirectClient;
  readonly #home: string;
  readonly #journal: Journal;
  readonly #tasks: TaskBook | undefined;
  readonly #beatMs: number;
  #isResting = false;

  constructor(client: DirectClient, home: string, beatMs: number) {
    this.#client = client;
    this.#home = home;
    this.#beatMs = beatMs;
    this.#journal = new Journal(home, client.caller.name);
    if (client.caller.name === lead) this.#tasks = new TaskBook(readOwnNotes(home));
  }

  async live(): Promise<never> {
    this.#note({ fact: 'started', startedAt: readStartTime(process.pid) ?? '' });
    const { name } = this.#client.caller;
    const { agent } = openTerminal({ program: 'demo-agent', name, isAlternateScreen: false });
    await agent.start(undefined);
    for (;;) {
      this.#obey();
      if (await this.#hasMail()) {
        await agent.submit('signalbox inbox drain', (turn) => this.#takeMail(turn));
        await this.#rest();
      } else if (this.#dueTasks().length > 0) {
        await agent.submit('give out tasks', (turn) => this.#giveTasks(turn));
        await this.#rest();
      } else await systemClock.sleep(lookEveryMs);
    }
  }

  /** In the journal, and on the screen that it leaves behind. */
  fail(error: Error): never {
    this.#note({ fact: 'failed', why: error.message });
    writeSync(2, `\r\n${error.stack ?? error.message}\r\n`);
    process.exit(1);
  }

  async #takeMail(turn: Turn): Promise<TurnEnd> {
    const drain = await this.#client.drain(undefined, this.#tasks ? atOnceForLead : atOnce);
    const ids = drain.messages.map(({ id }) => id);
    if (ids.length === 0) return { outcome: 'done' };
    try {
      this.#note({ fact: 'handed', ids });
      this.#note({ fact: 'doing', text: `reads ${ids.length} of its messages` });
      await this.#hold('handed', turn);
      await this.#pass(beats.read, turn);
      const copies = drain.messages.map(({ id, from, body, repeat }) => {
        return { id, from: from.name, text: body, repeat: repeat === true };
      });
      this.#note({ fact: 'received', copies });
      for (const { id, from, text, repeat } of copies) {
        turn.say(`${from}: ${text}${repeat ? '  (it may be a repeat)' : ''}`);
        this.#note({ fact: 'doing', text: `${from}: ${text}${repeat ? ' (repeat)' : ''}` });
        await this.#hold('received', turn);
        await this.#work(turn, { id, from, text });
      }
      this.#note({ fact: 'finishing', ids });
      await drain.finish();
    } catch (error) {
      // Somebody pressed Escape here. Nobody knows what was read; it comes again, marked.
      if (turn.signal.aborted) await drain.lose('its turn was interrupted');
      throw error;
    }
    this.#note({ fact: 'doing', text: '' });
    return { outcome: 'done' };
  }

  async #work(turn: Turn, { id, from, text }: { id: string; from: string; text: string }) {
    const command = commandIn(text);
    let isRefused = false;
    if (command !== undefined) {
      this.#note({ fact: 'doing', text: `asks whether it may run ${command}` });
      isRefused = (await turn.ask('permission', command)) === 'refused';
      this.#note({ fact: 'doing', text: `${isRefused ? 'may not run' : 'runs'} ${command}` });
    }
    const letters = answer(this.#client.caller.name, from, text, isRefused);
    // An answer that wants none is read and that is that.
    await this.#pass(letters.length > 0 ? beats.work : 0, turn);
    for (const letter of letters) {
      turn.continue(`→ ${letter.to}: ${letter.text}`);
      await this.#send(letter, letter.to === from ? id : undefined, turn);
    }
  }

  async #giveTasks(turn: Turn): Promise<TurnEnd> {
    for (const letter of this.#dueTasks()) {
      this.#note({ fact: 'doing', text: `gives ${letter.to} ${letter.text}` });
      turn.say(`→ ${letter.to}: ${letter.text}`);
      await this.#send(letter, undefined, turn);
      await this.#pass(beats.give, turn);
    }
    this.#note({ fact: 'doing', text: '' });
    return { outcome: 'done' };
  }

  /** An answer acks what it answers in the same step, so that it is not handed out again; anything else would be sent again. */
  async #send({ to, text }: Letter, answers: string | undefined, turn: Turn): Promise<void> {
    this.#note({ fact: 'sending', to, text, ...(answers === undefined ? {} : { answers }) });
    const replyTo = answers === undefined ? {} : { replyTo: answers };
    const { id, duplicate } = await this.#client.send({ to, body: text, key: text, ...replyTo });
    if (answers === undefined) await this.#hold('sent', turn);
    this.#note({ fact: 'accepted', id, to, text, duplicate });
  }

  #dueTasks(): readonly Letter[] {
    return this.#isResting ? [] : (this.#tasks?.due() ?? []);
  }

  async #hasMail(): Promise<boolean> {
    const query = { states: ['queued', 'uncertain'], max: 1 } as const;
    return (await this.#client.listInbox(undefined, query)).messages.length > 0;
  }

  #obey(): void {
    if (this.#isResting || !readOrders(this.#home).rest) return;
    this.#isResting = true;
    this.#note({ fact: 'resting' });
  }

  async #hold(at: HoldPlace, turn: Turn): Promise<void> {
    const isHeld = (): boolean => readOrders(this.#home).hold[process.pid] === at;
    if (isHeld()) this.#note({ fact: 'holding', at });
    while (isHeld()) await systemClock.sleep(holdMs, turn.signal);
  }

  #pass(count: number, turn: Turn): Promise<void> {
    return systemClock.sleep(count * this.#beatMs, turn.signal);
  }

  /** Long enough for a look to see that the turn is over. */
  #rest(): Promise<void> {
    return systemClock.sleep(Math.max(leastRestMs, beats.rest * this.#beatMs));
  }

  #note(fact: Fact): void {
    this.#journal.note(fact);
    this.#tasks?.note(fact);
  }
}

function readOwnNotes(home: string) {
  const reader = new JournalReader(home);
  const notes = reader.read().filter(({ agent }) => agent === lead);
  reader.close();
  return notes;
}

async function main(): Promise<void> {
  const client = await openDirectClient(process.env);
  const home = findFolders(process.env).state;
  const agent = new DemoAgent(client, home, Number(process.argv[2]));
  // A turn runs on its own: what it throws arrives here, and nowhere else.
  process.on('uncaughtException', (error) => agent.fail(error));
  await agent.live();
}

void main();
