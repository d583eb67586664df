import { waitUntil } from '../../support/wait-until.ts';
import { must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import { HeldPlaces, type Stage } from './held-places.ts';
import { Person } from './person.ts';
import { createWord, type Letter, Post } from './post.ts';
import { SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

/** A person who has paused for so long disturbs nobody (rule 24). */
export const quietMs = 3500;
/** Time for whoever would press a key. */
const watchMs = 3000;
const keyMs = 30;

/** One round: a message, held on its way at one stage, and the person who does something then. */
export class HeldRound {
  readonly life: Life;
  readonly stage: Stage;
  readonly person: SeatedPerson;
  readonly post: Post;
  readonly #typed: string[] = [];

  constructor(life: Life, stage: Stage, person: SeatedPerson) {
    this.life = life;
    this.stage = stage;
    this.person = person;
    this.post = new Post(life);
  }

  /** Types a word of their own, which must never reach the model. */
  async types(person = this.person): Promise<void> {
    const word = createWord().replace('letter', 'typed');
    this.#typed.push(word);
    for (const key of word) {
      await person.types(key);
      await pause(keyMs);
    }
  }

  /** All that was typed stands on the screen, whole. */
  async keepsTyped(): Promise<void> {
    const isShown = async (): Promise<boolean> => {
      const shown = (await this.life.hands.look()).text.replaceAll(/[\s│┃|▌]/g, '');
      return this.#typed.every((word) => shown.includes(word));
    };
    await waitUntil('what the person typed', isShown, 5000).catch(() => {
      throw new Error('what the person typed does not stand there whole');
    });
  }

  /** The person throws away what stands in the composer, if anything does. */
  async empties(): Promise<void> {
    const { emptyAllKeys } = traits[this.life.lab.name];
    for (let tries = 0; tries < 6; tries++) {
      await pause(1500);
      if ((await this.life.show()).composer !== 'draft') break;
      await this.person.presses(...emptyAllKeys);
    }
  }

  /** Nothing that they typed was sent. */
  nothingSent(): void {
    const isSent = this.life.mock.requests.some(({ body }) =>
      this.#typed.some((word) => body.includes(word.slice(0, 10))),
    );
    must(!isSent, 'what the person typed was sent');
  }
}

/** What a person does while a message is on its way. */
export interface Doing {
  /** Before the message is sent. */
  readonly prepares?: (round: HeldRound) => Promise<void>;
  /** While it is held. */
  readonly does: (round: HeldRound) => Promise<void>;
  /** What must still be so when the delivery has gone on. */
  readonly keeps?: (round: HeldRound) => Promise<void>;
  /** The person puts away what is in the way of messages. */
  readonly undoes: (round: HeldRound) => Promise<void>;
}

/** At each stage: the message is read, once, behind it the next one, and nothing else is sent. */
export async function playRounds(
  life: Life,
  stages: readonly Stage[],
  doing: Doing,
): Promise<undefined> {
  await new Person(life).opens();
  return sitsBy(life, async (person) => {
    for (const stage of stages) {
      await play(new HeldRound(life, stage, person), doing).catch((error: unknown) => {
        throw new Error(`${stage}: ${error instanceof Error ? error.message : error}`);
      });
    }
  });
}

/** Somebody sits at the agent's terminal meanwhile; afterwards nothing is held any more. */
export async function sitsBy(
  life: Life,
  run: (person: SeatedPerson) => Promise<void>,
): Promise<undefined> {
  const person = await SeatedPerson.sit(life);
  try {
    await run(person);
  } finally {
    HeldPlaces.of(life).release();
    await person.leaves();
  }
  return undefined;
}

async function play(round: HeldRound, doing: Doing): Promise<void> {
  const { life, post, stage } = round;
  const held = HeldPlaces.of(life);
  await life.empty();
  await settles(life);
  await doing.prepares?.(round);
  await pause(quietMs);
  held.hold(life.lab.name, stage);
  const letter = await sendsHeld(life, post);
  await held.isReached(patienceMs);
  await doing.does(round);
  held.release();
  await pause(watchMs);
  await doing.keeps?.(round);
  round.nothingSent();
  await doing.undoes(round);
  await isAccounted(post, letter);
  await settles(life);
  const next = await sendsHeld(life, post);
  await isAccounted(post, next);
  round.nothingSent();
  await settles(life);
}

/** Claude Code gets only the user's own words by a paste. */
export async function sendsHeld({ lab }: Life, post: Post, script = '@@say ok'): Promise<Letter> {
  return lab.name === 'claude-code' ? post.sendAsUser(`WORD ${script}`) : post.send(script);
}

async function isAccounted(post: Post, letter: Letter): Promise<void> {
  await post.isSeen(letter);
  await holdsAccount(post, [letter]);
}
