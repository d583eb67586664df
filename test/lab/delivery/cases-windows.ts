import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { pause, settles } from './cases-usual.ts';
import { Person } from './person.ts';
import { type Letter, Post } from './post.ts';
import { isSized, SeatedPerson } from './seated-person.ts';
import { traits } from './traits.ts';

/**
 * A person looks at the agent in a terminal that is small, and leaves it. In the smallest one no
 * CLI draws a whole composer.
 */
export const windowCases: readonly Check[] = [inWindow(60, 20), inWindow(40, 12), inWindow(20, 6)];

function inWindow(columns: number, rows: number): Check {
  return {
    name: `window-${columns}x${rows}`,
    promise: `rules 44 and 48: a person attaches from a window of ${columns}×${rows}: messages are read, or wait with "window too small" until it grows; it has its own size again when the person has left`,
    run: async (life) => {
      const post = new Post(life);
      await new Person(life).opens();
      const own = await life.hands.look();
      const visitor = await SeatedPerson.sit(life, { columns, rows });
      try {
        const first = await post.send();
        await arrives(life, post, first, visitor);
        await settles(life);
        // A turn has been drawn in it since.
        await visitor.resizes({ columns, rows });
        const second = await post.send();
        await arrives(life, post, second, visitor);
        await settles(life);
      } finally {
        await visitor.leaves();
      }
      await isSized(life, own);
      const last = await post.send();
      await post.isSeen(last, traits[life.lab.name].idle);
      await settles(life);
      return undefined;
    },
  };
}

/** Read, or it waits for a larger window and is read in one. */
async function arrives(
  life: Life,
  post: Post,
  letter: Letter,
  visitor: SeatedPerson,
): Promise<void> {
  const { columns } = await life.hands.look();
  const { idle } = traits[life.lab.name];
  let code: string | undefined;
  const isDecided = async (): Promise<boolean> => {
    const { message, waitsForCode } = await post.explain(letter.id);
    code = waitsForCode;
    return message.state !== 'queued' || code === 'window-too-small';
  };
  await waitUntil('its way in, or the word of a small window', isDecided, 30_000).catch(() => {
    throw new Error(`it waits for ${code}`);
  });
  if (code === 'window-too-small') {
    // In the smallest one nobody may know whether Copilot CLI 1.0.102, which tells its rest by its
    // screen, asks a person; its way in is not for that (rule 44).
    const mayWait = idle === 'paste' || columns < 40;
    must(mayWait, 'a way in that needs no screen waited for a larger window');
    await pause(3000);
    must((await post.state(letter.id)) === 'queued', 'it did not wait');
    await visitor.resizes({ columns: 120, rows: 40 });
  }
  await post.isSeen(letter, idle);
}
