import { tellQuestion } from '../agents/describe-question.ts';
import { callName } from '../agents/reference.ts';
import type { Client } from '../client/client.ts';
import type { AgentView } from '../protocol/agents.ts';
import { pause, systemClock } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import { formatAge } from '../shared/units.ts';
import { inLine, writeError } from './output.ts';
import { Progress } from './progress.ts';
import { listBelow, QuestionNews } from './question-news.ts';
import { Ring } from './ring.ts';
import { watchChanges } from './watch-changes.ts';

export interface Waiting {
  /** The agent that somebody waits for, by id, */
  readonly agent: string;
  /** what for, in a few words, */
  readonly what: string;
  /** and what goes on after Ctrl-C, and how to end that. */
  readonly goesOn: (agent: AgentView | undefined) => string;
  readonly json: boolean;
}

/**
 * Waits for some work of the daemon's and tells meanwhile, within a second of knowing it, that the
 * agent or one below it waits for a person, and for what (rule 48). On a terminal one line shows
 * what the agent does. Ctrl-C ends the wait with a sentence on what goes on.
 */
export async function tellQuestionsDuring<T>(
  client: Client,
  waiting: Waiting,
  work: Promise<T>,
): Promise<T> {
  const progress = new Progress(waiting.json);
  const over = new AbortController();
  const sight = new Sight(waiting, progress);
  const leave = catchInterrupt(() => {
    progress.clear();
    writeError(`signalbox: ${inLine(waiting.goesOn(sight.agent))}`);
  });
  const told = follow(client, sight, over.signal);
  try {
    return await work;
  } finally {
    over.abort();
    // A daemon that does not let go of us keeps nobody from the answer.
    await Promise.race([told, systemClock.sleep(leaveMs)]);
    leave();
    progress.clear();
  }
}

/** For the last look to end. */
const leaveMs = 500;

/** The exit code of a program that Ctrl-C ended. */
const interrupted = 130;

/** Returns how to leave it. */
export function catchInterrupt(tell: () => void): () => void {
  const end = (): void => {
    tell();
    process.exit(interrupted);
  };
  process.once('SIGINT', end);
  return () => process.off('SIGINT', end);
}

/** A CLI may say that it asks before it has drawn what. */
const drawnMs = 700;
/** So often the line on the terminal is painted anew. */
const redrawMs = 1000;

async function follow(client: Client, sight: Sight, over: AbortSignal): Promise<void> {
  const look = async (): Promise<boolean> => {
    const agents = await client.listAgents(undefined, { startsNothing: true });
    return !over.aborted && sight.take(agents);
  };
  try {
    // A question that stands there already is no event any more.
    let isUnread = await look();
    const watch = { topics: ['agent.*.status'], everyMs: redrawMs, over };
    for await (const change of watchChanges(client, watch)) {
      if (isUnread) await pause(systemClock, drawnMs, over);
      if (isUnread || change !== 'time') isUnread = await look();
      sight.show();
    }
  } catch (error) {
    // Whoever waits for the work is told by that what is wrong. Nobody waits for this one yet, and
    // an error that nobody waits for would end the command.
    reportBug('telling what an agent asks', error);
  }
}

/** What the agent does now, on the terminal, and what was told. */
class Sight {
  readonly #waiting: Waiting;
  readonly #progress: Progress;
  readonly #news = new QuestionNews();
  readonly #ring: Ring;
  readonly #since = systemClock.monotonicMs();
  #agent: AgentView | undefined;

  constructor(waiting: Waiting, progress: Progress) {
    this.#waiting = waiting;
    this.#progress = progress;
    this.#ring = new Ring(2, waiting.json);
  }

  /** As it was last seen. */
  get agent(): AgentView | undefined {
    return this.#agent;
  }

  /** Whether somebody asks, and the question itself is not known yet. */
  take(agents: readonly AgentView[]): boolean {
    const one = agents.find(({ id }) => id === this.#waiting.agent);
    this.#agent = one;
    const { news, isUnread } = this.#news.take(listBelow(agents, this.#waiting.agent));
    for (const agent of news) {
      this.#progress.clear();
      const told = tellQuestion(agent, callName(agent));
      writeError(`signalbox: ${inLine(told)}`);
      void this.#ring.ring(told);
    }
    return isUnread;
  }

  show(): void {
    const ms = systemClock.monotonicMs() - this.#since;
    const span = formatAge(ms);
    const does = this.#agent ? [`${callName(this.#agent)} is ${this.#agent.status}`] : [];
    this.#progress.show(`${[this.#waiting.what, ...does].join('; ')} (${span})`);
  }
}
