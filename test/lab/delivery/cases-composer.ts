import { waitUntil } from '../../support/wait-until.ts';
import type { Check } from '../life/check.ts';
import { must } from '../life/check.ts';
import { isProcessing, type Life, patienceMs } from '../life/life.ts';
import { holdsAccount } from './account.ts';
import { pause, settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { Post } from './post.ts';
import { soonMs } from './times.ts';
import { traits } from './traits.ts';

/** With the real spans: a message that a mode swallowed must keep nobody back. */
export const shellMode: Check = {
  name: 'shell-mode',
  promise:
    'rules 24 and 42: the person is in `!` mode: nothing is typed into it, nothing is lost, and what comes behind is not held back',
  run: async (life) => {
    const post = new Post(life);
    const person = new Person(life);
    await person.opens();
    await life.hands.press(['!', 'l', 's', 'x']);
    await life.hears('a draft', ({ composer }) => composer !== 'empty', life.events.length - 1);
    const first = await post.send();
    await pause(4000);
    const { text } = await life.hands.look();
    must(/lsx/.test(text), 'what the person typed is gone');
    // On the screen it stands in the conversation, where it is read without a key of the person's,
    // or in the mode.
    if (text.includes(first.word)) {
      const isAsked = (): boolean => post.requestsWith(first).length > 0;
      await waitUntil('a request with what would else be typed into the mode', isAsked, patienceMs);
    }
    await life.hands.press(['C-u', 'BSpace']);
    await pause(1000);
    if ((await life.show()).composer !== 'empty') await life.hands.press(['Escape']);
    await life.empty();
    const next = await post.send();
    await post.isSeen(next, undefined, soonMs);
    await holdsAccount(post, [first, next]);
    const sent = life.mock.requests.some(({ lastUserText }) => lastUserText.includes('lsx'));
    must(!sent, 'what the person typed was sent');
    await settles(life);
    return undefined;
  },
};

/** What people do with the composer and the window while messages come in. */
export const composerCases: readonly Check[] = [
  {
    name: 'typing',
    promise:
      'rule 24: a person types while a message comes in: nothing is glued to it, nothing is lost, nothing is sent',
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      await person.opens();
      const typing = types(life, typed);
      await pause(600);
      const letter = await post.send();
      await typing;
      if (traits[life.lab.name].idle === 'native') await post.isSeen(letter, 'native');
      must((await shown(life)).includes(typed), 'what was typed does not stand there whole');
      await person.empties();
      await post.isSeen(letter);
      const sent = life.mock.requests.some(({ body }) => body.includes(typed.slice(0, 8)));
      must(!sent, 'what the person typed was sent');
      await holdsAccount(post, [letter]);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'resize',
    promise: 'the window becomes 60 columns wide in a turn and stays so at rest: messages go on',
    run: async (life) => {
      const post = new Post(life);
      await new Person(life).opens();
      const { columns, rows } = await life.hands.look();
      const turn = await life.ask('@@sleep 5 @@say a slow answer');
      await life.hears('processing', isProcessing, turn.from);
      await life.hands.resize(60, 40);
      const busy = await post.send();
      await post.isSeen(busy);
      await settles(life);
      const narrow = await post.send();
      await post.isSeen(narrow);
      await settles(life);
      await life.hands.resize(columns, rows);
      const wide = await post.send();
      await post.isSeen(wide);
      await holdsAccount(post, [busy, narrow, wide]);
      await settles(life);
      return undefined;
    },
  },
];

const typed = 'quitehalfathoughttypedslowly';

async function types(life: Life, text: string): Promise<void> {
  for (const key of text) {
    await life.hands.press([key]);
    await pause(200);
  }
}

async function shown(life: Life): Promise<string> {
  await pause(1000);
  return (await life.hands.look()).text.replaceAll(/[\s│┃|▌]/g, '');
}
