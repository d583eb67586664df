import { existsSync, linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotBe, type Check, must } from '../life/check.ts';
import { isProcessing, type Life } from '../life/life.ts';
import { isPrompt } from './cases-standing.ts';
import { allow, settles } from './cases-usual.ts';
import { Post } from './post.ts';
import { cutChannel, emptyChannel } from './standing-channels.ts';
import { measure } from './times.ts';

/**
 * Rule 53: put up again within 15 s, or the next route within 30 s; and what the turn itself takes.
 */
const heardMs = 45_000;

/**
 * What stands beside a CLI to wake it goes while the CLI lives on. Nobody touches the terminal: the
 * message must get in by itself, once.
 */
export const deafCases: readonly Check[] = [
  {
    name: 'channel-killed-idle',
    promise:
      'rule 53: its standing channel is killed while it rests; the next message gets in by itself',
    hasOwnAgent: true,
    run: async (life) => {
      const post = new Post(life);
      await post.isSeen(await post.send());
      await settles(life);
      await cutChannel(life);
      return isHeard(life, post, 'deaf-idle');
    },
  },
  {
    name: 'channel-killed-busy',
    promise:
      'rule 53: its standing channel is killed in a turn; the next message gets in by itself',
    hasOwnAgent: true,
    run: async (life) => {
      const post = new Post(life);
      const turn = await life.ask('@@sleep 6 @@say a slow answer');
      await life.hears('processing', isProcessing, turn.from);
      await cutChannel(life);
      return isHeard(life, post, 'deaf-busy');
    },
  },
  {
    name: 'channel-killed-dialog',
    promise:
      'rule 53: its standing channel is killed in a dialog that a person then leaves; the next message gets in',
    hasOwnAgent: true,
    run: async (life) => {
      const post = new Post(life);
      const from = life.events.length;
      await life.ask('@@tool touch dialog.txt @@say after the tool');
      await life.hears('waiting', ({ status }) => status === 'waiting', from);
      await cutChannel(life);
      await allow(life, life.lab.denyKeys);
      const measured = await isHeard(life, post, 'deaf-dialog');
      must(!existsSync(join(life.home.cwd, 'dialog.txt')), 'the dialog was answered');
      return measured;
    },
  },
  {
    name: 'user-channel-killed',
    promise:
      'rules 51, 53: its standing channel is killed while it rests; what the user sends then is a prompt of the user, word for word',
    hasOwnAgent: true,
    run: async (life) => {
      const post = new Post(life);
      await post.isSeen(await post.send());
      await settles(life);
      await cutChannel(life);
      const letter = await post.sendAsUser('yes, go ahead WORD');
      await isPrompt(post, letter, `yes, go ahead ${letter.word}`, heardMs);
      await settles(life);
      if (life.lab.name === 'copilot') await tellsPaste(life);
      return undefined;
    },
  },
  {
    name: 'channel-gone',
    promise:
      'rule 53: its waiting hook is killed and cannot be put up again; one pasted line says that mail waits, and the message gets in once',
    hasOwnAgent: true,
    run: async (life) => {
      if (life.lab.name !== 'claude-code') throw new CannotBe('its next route is another one');
      if (life.box.terminal === 'herdr') throw new CannotBe('nothing is pasted in herdr');
      const post = new Post(life);
      await post.isSeen(await post.send());
      await settles(life);
      // A file with two names is left alone.
      const settings = join(life.home.home, '.claude', 'settings.json');
      if (!existsSync(settings)) writeFileSync(settings, '{}\n');
      linkSync(settings, `${settings}.linked`);
      await cutChannel(life);
      const since = Date.now();
      const letter = await post.send();
      const story = await post.isSeen(letter, undefined, heardMs);
      const line = life.mock.requests.find(({ at, isSide, lastUserText }) => {
        return (
          at > since && !isSide && /^signalbox: \S+ messages? waits? for you/.test(lastUserText)
        );
      });
      must(line !== undefined, 'no line said that a message waits');
      await settles(life);
      post.isOnce(letter);
      return {
        'deaf-line': (line?.at ?? Number.NaN) - since,
        ...measure('deaf-gone', since, post.requestsWith(letter), story),
      };
    },
  },
  {
    name: 'channel-emptied',
    promise:
      'rule 53: the file by which it is reached is emptied; the next message gets in, and none a second time',
    hasOwnAgent: true,
    run: async (life) => {
      const post = new Post(life);
      const before = await post.send();
      await post.isSeen(before);
      await settles(life);
      emptyChannel(life);
      const measured = await isHeard(life, post, 'deaf-emptied');
      post.isOnce(before);
      return measured;
    },
  },
];

async function isHeard(life: Life, post: Post, name: string) {
  const since = Date.now();
  const letter = await post.send();
  const story = await post.isSeen(letter, undefined, heardMs);
  const measured = measure(name, since, post.requestsWith(letter), story);
  await settles(life);
  post.isOnce(letter);
  if (story.attempts.at(-1)?.route === 'paste') await tellsPaste(life);
  return measured;
}

/**
 * Another route stood in for the one that is gone: what is broken is said, and that messages get in
 * all the same.
 */
async function tellsPaste(life: Life): Promise<void> {
  const { broken = '', routes = [], lacks = [] } = await life.show();
  must(broken.startsWith('messages go in by paste meanwhile: '), `status says: ${broken}`);
  must(routes.includes('paste') && !routes.includes('native'), `open: ${routes.join(', ')}`);
  must(!lacks.some(({ route }) => route === 'paste'), 'status lists paste among what it lacks');
}
