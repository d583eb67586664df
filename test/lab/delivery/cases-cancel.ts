import type { CancelView } from '../../../src/protocol/messages.ts';
import type { TaskView } from '../../../src/protocol/tasks.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { pause, settles } from './cases-usual.ts';
import { longAnswer } from './person.ts';
import { createWord, Post } from './post.ts';

/** `signalbox cancel`, with the real CLIs: what is never read, and what is too late. */
export const cancelCases: readonly Check[] = [
  {
    name: 'cancel-waiting',
    promise:
      'rule 34: a message that waits behind a turn, here or in the CLI’s own queue where that gives it back, is taken back and never read; the next one is',
    run: async (life) => {
      const post = new Post(life);
      await settles(life);
      const word = createWord();
      life.mock.teach(word, [
        { do: 'sleep', ms: 12_000 },
        { do: 'say', text: 'done' },
      ]);
      await life.ask(`@@play ${word}`);
      const letter = await post.send('@@say never read');
      await pause(1500);
      const before = await post.state(letter.id);
      const { code, document } = await tryCancel(life, letter.id);
      say(life, `${before}: ${code} ${document.outcome ?? document.error?.message}`);
      const isBack = code === 0;
      must(isBack || before === 'injected', `a message that is ${before}: ${code}`);
      must(isBack || document.error?.code === 'too-late', JSON.stringify(document));
      const next = await post.send('@@say read');
      await post.isSeen(next);
      await settles(life);
      const { message } = await post.explain(letter.id);
      if (isBack) {
        must(message.reason === 'withdrawn', `it is ${message.state}: ${message.reason}`);
        must(post.requestsWith(letter).length === 0, 'the model got it');
      } else must(message.state === 'seen', `it is ${message.state}`);
      return undefined;
    },
  },
  {
    name: 'cancel-read',
    promise: 'rule 34: what the model has read is refused, with its state',
    run: async (life) => {
      const post = new Post(life);
      const letter = await post.send('@@say read');
      await post.isSeen(letter);
      const { code, document } = await tryCancel(life, letter.id);
      must(code === 1 && document.error?.code === 'too-late', JSON.stringify(document));
      must(/seen|acked/.test(document.error?.message ?? ''), JSON.stringify(document));
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'cancel-task',
    promise:
      'rules 30, 34: a task that the model works on is owed no longer, and the model is told so, once',
    run: async (life) => {
      const post = new Post(life);
      await settles(life);
      const word = createWord();
      life.mock.teach(word, [longAnswer]);
      const { task } = await life.box.ask<TaskView>(['assign', 'lab', `@@play ${word}`]);
      await waitUntil(
        'its request',
        () => life.mock.requests.find(({ isSide, body }) => !isSide && body.includes(word)),
        patienceMs,
      );
      await life.hands.shows(/word20\b/, patienceMs);
      life.mock.teach(word, [{ do: 'say', text: 'goes on' }]);
      const { code, document } = await tryCancel(life, task);
      must(code === 0 && document.outcome === 'released', JSON.stringify(document));
      const ended = await life.box.tryAsUser(['interrupt', 'lab', '--timeout', '30s']);
      must(ended.code === 0, `interrupt ended with ${ended.code}`);
      const toldBy = document.toldBy ?? '';
      await post.becomes({ id: toldBy, word: '' }, ['seen', 'acked']);
      const told = life.mock.requests.filter(
        ({ isSide, body }) => !isSide && body.includes('was taken back by the user'),
      );
      must(told.length > 0, 'the model was not told');
      await settles(life);
      const again = await tryCancel(life, task);
      must(again.document.outcome === 'already', JSON.stringify(again.document));
      return undefined;
    },
  },
];

type Answer = Partial<CancelView> & { error?: { code: string; message: string } };

function tryCancel(life: Life, id: string) {
  return life.box.tryAsUser<Answer>(['cancel', id]);
}

function say({ lab }: Life, what: string): void {
  process.stdout.write(`${lab.name}  ${what}\n`);
}
