import type { TurnOutcome } from '../../../src/messages/message.ts';
import type { FakeAgent } from '../agent.ts';
import { isOurs } from '../truth.ts';
import { tellingOf } from './tellings.ts';

/** One stop of one turn, as it really was. */
export interface TrueStop {
  readonly agent: string;
  readonly epoch: number;
  readonly conversation: number;
  /** The nth turn of its agent, and the nth stop of that. */
  readonly turn: number;
  readonly n: number;
  readonly outcome: TurnOutcome;
  /** Nobody else says the same; empty at times. */
  readonly text: string;
  /** Wall time; of the whole turn, and of this stop. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** Of texts of ours that entered in this turn. */
  readonly marks: readonly string[];
  /** How many texts had entered anywhere by then, and before its turn began. */
  readonly landings: number;
  readonly landingsBefore: number;
  /** Whoever was to tell of it died. */
  isLost: boolean;
  /** Wall time: when a hook, or the commit of its own, told it to somebody who listened. */
  toldAt?: number;
}

interface OpenTurn {
  readonly turn: number;
  readonly epoch: number;
  readonly conversation: number;
  readonly landings: number;
  readonly at: number;
  stops: number;
}

/** Every turn of every agent, and what was said in it. */
export class TurnBook {
  readonly stops: TrueStop[] = [];
  readonly #open = new Map<string, OpenTurn>();

  begin({ id, turns, epoch, talk, stage }: FakeAgent): void {
    const { length: landings } = stage.truth.landings;
    const turn = { turn: turns, epoch, conversation: talk.current, at: stage.scheduler.now };
    this.#open.set(id, { ...turn, landings, stops: 0 });
  }

  /** Undefined where no turn is known. */
  stop(agent: FakeAgent, outcome: TurnOutcome): TrueStop | undefined {
    const open = this.#open.get(agent.id);
    if (!open) return undefined;
    const { scheduler, random, truth } = agent.stage;
    open.stops++;
    const n = open.stops;
    // A program of which nothing but the screen tells always prints something there.
    const isShown = tellingOf(agent.kind).source === 'status';
    const isSilent = !isShown && (outcome !== 'completed' || random.chance(0.08));
    const entered = truth.landings.slice(open.landings).filter((one) => one.agent === agent.id);
    const stop: TrueStop = {
      ...{ agent: agent.id, epoch: open.epoch, conversation: open.conversation },
      ...{ turn: open.turn, n, outcome },
      text: isSilent ? '' : `words ${open.turn}.${n} of ${agent.id}`,
      begunAt: open.at,
      endedAt: scheduler.now,
      marks: entered.filter(({ entry }) => isOurs(entry)).map(({ entry }) => entry.mark),
      landings: truth.landings.length,
      landingsBefore: open.landings,
      isLost: false,
    };
    this.stops.push(stop);
    return stop;
  }

  /** Of the turn that began last, whatever became of it. */
  findLastBegun(agent: string): OpenTurn | undefined {
    return this.#open.get(agent);
  }

  listOf(agent: string, epoch: number): readonly TrueStop[] {
    return this.stops.filter((stop) => stop.agent === agent && stop.epoch === epoch);
  }

  findByText(text: string): TrueStop | undefined {
    return text === '' ? undefined : this.stops.find((stop) => stop.text === text);
  }

  /**
   * What the agent said last, in the conversation that is shown. Of a program that nothing but its
   * screen tells of, in any of this life: a person who shows another conversation in the tenth of a
   * second between an end and the look at it wins that race.
   */
  lastWords({ id, talk, kind, epoch }: FakeAgent): string | undefined {
    const isOnScreen = tellingOf(kind).source === 'status';
    return this.stops.findLast(
      (stop) =>
        stop.agent === id &&
        stop.text !== '' &&
        (isOnScreen ? stop.epoch === epoch : stop.conversation === talk.current),
    )?.text;
  }
}
