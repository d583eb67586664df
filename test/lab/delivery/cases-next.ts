import { waitUntil } from '../../support/wait-until.ts';
import type { Check } from '../life/check.ts';
import { must } from '../life/check.ts';
import { isAtRest, patienceMs } from '../life/life.ts';
import { isAlive, signalProcess } from '../processes.ts';
import { holdsAccount } from './account.ts';
import { holds, readsNext } from './cases-interrupted.ts';
import { settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { createWord, Post } from './post.ts';
import { measure } from './times.ts';
import { traits } from './traits.ts';

/**
 * With the real spans, too: the time from what a person or an accident did to the next message
 * read.
 */
export const nextCases: readonly Check[] = [
  {
    name: 'clear-next',
    promise: 'after `/clear` the next message is read soon, in the new conversation',
    run: async (life) => {
      const post = new Post(life);
      const person = new Person(life);
      const opener = await person.opens();
      const clearAt = await person.beginsAnew(traits[life.lab.name].clear);
      const { next, measured } = await readsNext(life, person, clearAt, 'clear');
      must(!holds(post, next, opener), 'it went into the conversation that was left');
      await holdsAccount(post, [next]);
      await settles(life);
      return measured;
    },
  },
  {
    name: 'kill-next',
    promise:
      'rule 10: kill -9 while a message is on its way in, then a restart: both it and the next one are read, and it is settled soon',
    run: async (life) => {
      const post = new Post(life);
      await new Person(life).opens();
      const word = createWord();
      life.gate.hold(word);
      const first = await post.send('@@say ok', [], word);
      await life.gate.arrived(word, patienceMs);
      const before = life.family(await life.rootProcess());
      for (const found of before) signalProcess(found, 'SIGKILL');
      const killedAt = Date.now();
      await waitUntil('its end', () => before.every((found) => !isAlive(found)));
      life.gate.drop();
      await life.hears('exited', ({ status }) => status === 'exited', life.events.length - 1);
      const next = await post.send('@@say the next one');
      const from = life.events.length;
      await life.restart();
      await life.isReady(from);
      const { at: restedAt } = await life.hears('rest', isAtRest, from);
      const story = await post.isSeen(next);
      await holdsAccount(post, [first, next]);
      const { history } = await post.explain(first.id);
      const lost = history.findLastIndex(({ to }) => to === 'uncertain');
      const settled = history[lost + 1]?.at;
      await settles(life);
      return {
        ...measure('kill', killedAt, post.requestsWith(next), story),
        ...(lost < 0 || !settled ? {} : { settled: Date.parse(settled) - restedAt }),
      };
    },
  },
];
