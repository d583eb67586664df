import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import { HeldPlaces, stagesIn } from './held-places.ts';
import { HeldRound, playRounds, quietMs, sendsHeld, sitsBy } from './held-round.ts';
import { longAnswer } from './person.ts';
import { createWord, type Letter } from './post.ts';

/** Esc at each stage of a delivery, and what a person takes out of the composer. */
export const heldEscCases: readonly Check[] = [
  {
    name: 'held-esc',
    promise:
      'rules 9, 12, 24: a person presses Esc before a message goes in, between its text and Enter, while its turn runs and after its last word: it is read, once, and so is the next one',
    hasOwnAgent: true,
    run: async (life) => {
      await playRounds(
        life,
        stagesIn(life.lab.name).filter((stage) => stage !== 'after'),
        {
          does: ({ person }) => person.presses('Escape'),
          undoes: (round) => round.empties(),
        },
      );
      return sitsBy(life, async (person) => {
        await breaksOffHeld(new HeldRound(life, 'after', person));
        await escapesAtRest(new HeldRound(life, 'after', person));
      });
    },
  },
  {
    name: 'user-removed',
    promise:
      'rule 51d: a person takes a prompt of the user out of the composer, before anybody knows or after they were told: it is withdrawn, and not said for them again',
    hasOwnAgent: true,
    run: async (life) => {
      if (!stagesIn(life.lab.name).includes('between')) {
        throw new CannotBe('a prompt of the user never stands in its composer without Enter');
      }
      return sitsBy(life, async (person) => {
        await removes(new HeldRound(life, 'between', person), 'unknown');
        await removes(new HeldRound(life, 'between', person), 'told');
      });
    },
  },
];

/** The delivery is held after its act, while its turn begins, runs and is broken off. */
async function breaksOffHeld(round: HeldRound): Promise<void> {
  const { life, post, person } = round;
  const held = HeldPlaces.of(life);
  await settles(life);
  await pause(quietMs);
  const script = createWord();
  life.mock.teach(script, [longAnswer]);
  held.hold(life.lab.name, 'after');
  const letter = await sendsHeld(life, post, `@@play ${script}`);
  const request = await waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
  await held.isReached(patienceMs);
  await life.hands.shows(/word20\b/, patienceMs);
  life.mock.teach(script, [{ do: 'say', text: 'read at last' }]);
  for (let tries = 0; tries < 8 && request.outcome === undefined; tries++) {
    for (const key of life.lab.interruptKeys) {
      await person.presses(key);
      await pause(300);
    }
    await waitUntil('its end', () => request.outcome, 4000).catch(() => undefined);
  }
  must(request.outcome === 'client-closed', `the keys did not break it off: ${request.outcome}`);
  held.release();
  await round.empties();
  await readsNext(round, letter);
}

async function escapesAtRest(round: HeldRound): Promise<void> {
  const { life, post, person } = round;
  await pause(quietMs);
  const letter = await sendsHeld(life, post);
  await post.isSeen(letter);
  await settles(life);
  await person.presses('Escape');
  await round.empties();
  await readsNext(round, letter);
}

async function readsNext({ life, post }: HeldRound, letter: Letter): Promise<void> {
  const next = await sendsHeld(life, post);
  await post.isSeen(next);
  await holdsAccount(post, [letter, next]);
  await settles(life);
}

/** `told`: their first key makes it theirs, they are told so, and then they delete it. */
async function removes(round: HeldRound, when: 'unknown' | 'told'): Promise<void> {
  const { life, post, person } = round;
  const held = HeldPlaces.of(life);
  await life.empty();
  await settles(life);
  await pause(quietMs);
  held.hold(life.lab.name, 'between');
  const letter = await post.sendAsUser('WORD @@say never said');
  await held.isReached(patienceMs);
  if (when === 'told') {
    await round.types();
    held.release();
    const isTold = async (): Promise<boolean> =>
      /message stands in the composer/.test(await person.screen());
    await waitUntil('the word to the person', isTold, 15_000);
  }
  await round.empties();
  held.release();
  const { message } = await post.becomes(letter, ['dead']);
  must(message.reason === 'withdrawn', `it died as ${message.reason}`);
  must(post.requestsWith(letter).length === 0, 'the model got it');
  const next = await post.sendAsUser('WORD @@say ok');
  await post.isSeen(next);
  await settles(life);
  round.nothingSent();
}
