import type { ByHand } from '../../../bench/delivery/cli/route.ts';
import type { QueueOnEsc } from '../../../src/providers/capabilities.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { allow, pause, settles } from '../delivery/cases-usual.ts';
import { longAnswer, Person } from '../delivery/person.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs, type Turn } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';

/** What the CLI does when the person presses Esc. */
export const situations = ['answer', 'tool', 'dialog', 'twice'] as const;
export type Situation = (typeof situations)[number];

export interface Found {
  readonly what: QueueOnEsc;
  /** In words: when it was read, or where it stood. */
  readonly how: string;
}

/** A queue that goes on by itself does so within this time; ours would be released after 10 s. */
const byItselfMs = 8000;

/**
 * One text goes into the CLI's own queue, by hand and without delivery; the person presses Esc;
 * then the mock and the screen tell what has become of the text.
 */
export async function probe(life: Life, byHand: ByHand, situation: Situation): Promise<Found> {
  const person = new Person(life);
  const word = createWord();
  const text = `${word} @@say read from the queue`;
  await breakOffWith(life, person, situation, () => byHand.wake(text, () => false));
  const restedAt = Date.now();
  const read = await waitUntil('it in a request', () => first(life, word), byItselfMs).catch(
    () => undefined,
  );
  if (read) {
    await settles(life);
    const seconds = ((read.at - restedAt) / 1000).toFixed(1);
    return { what: 'kept', how: `read by itself ${seconds} s after Esc` };
  }
  const { composer } = await life.show();
  const isShown = (await life.hands.look()).text.includes(word);
  if (composer !== 'empty' && isShown) {
    await person.empties();
    return { what: 'returned', how: `the composer is ${composer}, and the screen shows it` };
  }
  const next = createWord();
  await life.ask(`@@say the person goes on ${next}`);
  await settles(life);
  const later = first(life, word);
  if (!later) return { what: 'dropped', how: 'in no request, nor on the next prompt' };
  const isWith = later.body.includes(next) ? 'in the request of the next prompt' : 'behind it';
  return { what: 'kept', how: `not by itself; ${isWith}` };
}

async function breakOffWith(
  life: Life,
  person: Person,
  situation: Situation,
  join: () => Promise<void>,
): Promise<void> {
  switch (situation) {
    case 'answer':
    case 'twice': {
      const turn = await answers(life);
      await join();
      await pause(joinedMs);
      must(turn.request.outcome === undefined, 'the answer was over before Esc');
      await person.interrupts(turn.request);
      if (situation === 'twice') await life.hands.press(['Escape']);
      return;
    }
    case 'tool': {
      await asks(life, `node -e "setTimeout(function(){},60000)"`);
      await allow(life);
      await pause(joinedMs);
      await join();
      await pause(joinedMs);
      return breaksOffTool(life);
    }
    case 'dialog': {
      // It is put in while the model answers, and stands in the queue when the dialog opens.
      const word = createWord();
      life.mock.teach(word, [
        { do: 'sleep', ms: 4000 },
        { do: 'tool', command: 'touch never.txt' },
      ]);
      const turn = await life.ask(`@@play ${word}`);
      await pause(1000);
      await join();
      await life.hears('waiting', ({ status }) => status === 'waiting', turn.from);
      await pause(joinedMs);
      return breaksOffTool(life);
    }
  }
}

/** Qwen Code reads its input twice a second. */
const joinedMs = 1500;

async function answers(life: Life): Promise<Turn> {
  const word = createWord();
  life.mock.teach(word, [longAnswer]);
  const turn = await life.ask(`@@play ${word}`);
  await life.hands.shows(/word20\b/, patienceMs);
  return turn;
}

async function asks(life: Life, command: string): Promise<void> {
  const turn = await life.ask(`@@tool ${command} @@say after the tool`);
  await life.hears('waiting', ({ status }) => status === 'waiting', turn.from);
  await waitUntil('the question', () => life.current?.composer === 'hidden', 20_000);
}

/** There is no request whose end would tell: it is pressed until the CLI rests. */
async function breaksOffTool(life: Life): Promise<void> {
  const from = life.events.length;
  const hasRested = (): boolean => life.events.slice(from).some(isAtRest);
  for (let tries = 0; tries < 5 && !hasRested(); tries++) {
    await life.hands.press(life.lab.interruptKeys);
    await waitUntil('rest', hasRested, 4000).catch(() => undefined);
  }
  must(hasRested(), 'the keys did not break it off');
}

function first(life: Life, word: string): LoggedRequest | undefined {
  return life.mock.requests.find(({ isSide, body }) => !isSide && body.includes(word));
}
