import type { InterruptView } from '../../../src/protocol/interrupt.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { CannotBe, type Check, must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { readsNext, stops, streams } from './cases-interrupt.ts';
import { pause, settles } from './cases-usual.ts';
import { isTrue } from './interrupt-truth.ts';
import { Person } from './person.ts';
import { createWord, Post } from './post.ts';
import { SeatedPerson } from './seated-person.ts';

/** `signalbox interrupt` while somebody or something else acts at the same moment. */
export const interruptTwoCases: readonly Check[] = [
  {
    name: 'stop-notice',
    promise:
      'rules 9, 42: what it says of a message that the turn reads is true of the model’s next request, and the message is not lost',
    run: async (life) => {
      const post = new Post(life);
      await begins(life);
      // An interrupted prompt before it would be answered with it.
      await new Person(life).opens();
      const script = createWord();
      life.mock.teach(script, [{ do: 'hang' }]);
      const letter = await post.send(`@@play ${script}`);
      await waitUntil('its request', () => post.requestsWith(letter)[0], patienceMs);
      life.mock.teach(script, [{ do: 'say', text: 'read at last' }]);
      await pause(1500);
      const told = (await stops(life)).messages.find(({ id }) => id === letter.id);
      must(told !== undefined, 'it says nothing of the message');
      await isTrue(life, letter, told?.fate);
      await settles(life);
      await post.isSeen(letter);
      await holdsAccount(post, [letter]);
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-herdr',
    promise:
      'rule 45: in herdr, where no key can be guarded, none is pressed: it is refused, the turn goes on, and the way there is named',
    run: async (life) => {
      const { box, lab } = life;
      if (box.terminal === 'tmux') throw new CannotBe('this one is about herdr');
      if (lab.name === 'codex' || lab.name === 'opencode')
        throw new CannotBe('its own API ends a turn in herdr as well');
      const turn = await streams(life);
      const { code, said } = await asks(life);
      must(code === 5 && /cannot be ended from here/.test(said), `it ended with ${code}: ${said}`);
      process.stdout.write(`${lab.name}  in herdr: ${said}\n`);
      await pause(1500);
      must(turn.request.outcome === undefined, 'the answer was broken off');
      const [row] = (await life.show()).interruptions ?? [];
      must(row?.outcome === 'refused' && row.presses === 0, `its row: ${JSON.stringify(row)}`);
      await life.hands.press(lab.interruptKeys);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'stop-twice',
    promise: 'rule 45: two persons at once end one turn once, and one of them is told so',
    run: async (life) => {
      await begins(life);
      await streams(life);
      const both = await Promise.all([0, 1].map(() => asks(life)));
      const codes = both.map(({ code }) => code).toSorted();
      must(codes.join() === '0,5', `they ended with ${codes}: ${both.map(({ said }) => said)}`);
      await isUnharmed(life);
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-and-esc',
    promise:
      'rule 45: the person’s own Esc at the same moment: no list opens, and the next one is read',
    run: async (life) => {
      const person = await SeatedPerson.sit(life);
      try {
        for (const afterMs of [0, 300, 600]) {
          await begins(life);
          const turn = await streams(life);
          const asking = asks(life);
          await pause(afterMs);
          await person.presses('Escape');
          const { code, said } = await asking;
          must([0, 4, 5].includes(code), `it ended with ${code}: ${said}`);
          if (turn.request.outcome === undefined) await stops(life);
          await isUnharmed(life);
          process.stdout.write(`${life.lab.name}  Esc after ${afterMs} ms: ${said}\n`);
        }
      } finally {
        await person.leaves();
      }
      await readsNext(life);
      return undefined;
    },
  },
  {
    name: 'stop-new',
    promise: 'rule 42: and a new conversation at once: what waits is read there, once',
    run: async (life) => {
      await begins(life);
      const post = new Post(life);
      await streams(life);
      const letter = await post.send();
      await stops(life);
      await new Person(life).beginsAnew();
      await post.isSeen(letter);
      await holdsAccount(post, [letter]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'stop-killed',
    promise: 'rule 45: its daemon killed in the middle presses nothing again',
    run: async (life) => {
      for (const afterMs of [400, 800, 1200]) {
        await begins(life);
        const turn = await streams(life);
        const asking = asks(life);
        await pause(afterMs);
        await life.box.killDaemon();
        const { code, said } = await asking;
        await life.box.up();
        await life.shows('what it does', ({ status }) => status !== 'unknown');
        // A second Esc would open a list, or empty the composer.
        await pause(3000);
        const { interruptions = [] } = await life.show();
        const outcomes = interruptions.map(({ outcome }) => outcome).join();
        must(!outcomes.includes('pressing'), `the history says ${outcomes}`);
        if (turn.request.outcome === undefined) await stops(life);
        await isUnharmed(life);
        const line = `killed after ${afterMs} ms: ${code}, history ${outcomes}: ${said}`;
        process.stdout.write(`${life.lab.name}  ${line}\n`);
      }
      await readsNext(life);
      return undefined;
    },
  },
];

/** An interruption may have put a text back into the composer. */
async function begins(life: Life): Promise<void> {
  await settles(life);
  await new Person(life).empties();
}

async function asks(life: Life): Promise<{ readonly code: number; readonly said: string }> {
  const { code, document } = await life.box.tryAsUser<
    InterruptView & { readonly error?: { readonly message: string } }
  >(['interrupt', 'lab', '--timeout', '30s']);
  return { code: code ?? -1, said: document.error?.message ?? `Esc ${document.presses}` };
}

/** At rest, and no list or menu covers the composer. */
async function isUnharmed(life: Life): Promise<void> {
  await waitUntil('rest', () => life.current && isAtRest(life.current), patienceMs);
  await pause(1500);
  const { status, composer } = await life.show();
  must(isAtRest({ status }) && composer !== 'hidden', `it is ${status}, ${composer}`);
  await new Person(life).empties();
}
