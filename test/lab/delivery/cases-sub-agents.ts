import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { pause, settles } from './cases-usual.ts';
import { createWord, Post } from './post.ts';
import {
  begin,
  comes,
  deny,
  dialog,
  forget,
  isOpen,
  isPrompt,
  onlyHere,
  rounds,
} from './sub-agent.ts';

/** How much later the sub-agent asks in each round, over 0 to 500 ms. */
const latestMs = 500;
/** A key of ours that were still to come would have come by then. */
const answeredMs = 1000;

/** Rule 51a: what runs beside a conversation while the user's words wait for it. */
export const subAgentCases: readonly Check[] = [
  {
    name: 'sub-agent-works',
    promise: 'a prompt waits while a sub-agent works, says so, and is a prompt when that has ended',
    hasOwnAgent: true,
    run: async (life) => {
      onlyHere(life);
      const post = new Post(life);
      const beside = await begin(life, [{ do: 'say', text: 'looked around' }]);
      const letter = await post.sendAsUser('WORD @@say read');
      await waitUntil('the reason', async () => {
        const { waitsForCode } = await post.explain(letter.id);
        return waitsForCode === 'sub-agents';
      });
      must(post.requestsWith(letter).length === 0, 'it went in all the same');
      beside.goOn();
      await isPrompt(post, letter);
      await settles(life);
      return undefined;
    },
  },
  {
    name: 'sub-agent-restarted',
    promise:
      'after a restart of the daemon a prompt waits beside a sub-agent for a minute, says so, and then goes as a notice',
    hasOwnAgent: true,
    run: async (life) => {
      onlyHere(life);
      const post = new Post(life);
      const beside = await begin(life, [{ do: 'say', text: 'looked around' }]);
      await life.box.killDaemon();
      await life.box.up();
      const letter = await post.sendAsUser('WORD @@say read');
      const sentAt = Date.now();
      await waitUntil('the reason', async () => {
        const { waitsForCode } = await post.explain(letter.id);
        return waitsForCode === 'sub-agents';
      });
      // The sub-agent works on, and the model has the user's words within the minute and a bit.
      const { message } = await post.isSeen(letter, 'native');
      must(message.standing === 'notice', `it was a ${message.standing}`);
      const [request] = post.requestsWith(letter);
      beside.goOn();
      await settles(life);
      return { notice: (request?.at ?? Number.NaN) - sentAt };
    },
  },
  {
    name: 'background-shell',
    promise: 'a shell that runs beside it holds up no prompt',
    hasOwnAgent: true,
    run: async (life) => {
      onlyHere(life);
      const post = new Post(life);
      const word = createWord();
      const shell = { command: 'sleep 600', description: 'Serve', run_in_background: true };
      life.mock.teach(word, [
        { do: 'mcp', server: 'claude', tool: 'Bash', json: JSON.stringify(shell) },
        { do: 'say', text: 'It runs.' },
      ]);
      await life.ask(`@@play ${word}`);
      await settles(life);
      await life.hands.shows(/· 1 shell/, patienceMs);
      const letter = await post.sendAsUser('WORD @@say read');
      const sentAt = Date.now();
      await isPrompt(post, letter);
      const [request] = post.requestsWith(letter);
      await settles(life);
      return { prompt: (request?.at ?? Number.NaN) - sentAt };
    },
  },
  {
    name: 'sub-agent-asks',
    promise: 'a dialog that a sub-agent opens 0 to 500 ms after a send is never answered by us',
    hasOwnAgent: true,
    isLong: true,
    run: async (life) => {
      onlyHere(life);
      const done: Round[] = [];
      const leave = await comes(life);
      for (let n = 0; n < rounds; n++) {
        const afterMs = (latestMs * n) / Math.max(1, rounds - 1);
        const round = await play(life, afterMs, n % 2 === 1);
        done.push(round);
        process.stderr.write(`  ${Math.round(afterMs)} ms: ${JSON.stringify(round)}\n`);
      }
      await leave();
      const approved = done.filter(({ isApproved }) => isApproved).length;
      must(approved === 0, `${approved} of ${rounds} were approved`);
      const before = done.filter(({ isBefore }) => isBefore).length;
      return { rounds, approved, 'read before the dialog': before };
    },
  },
];

interface Round {
  /** The daemon has lost all that told of the sub-agent but the screen, which shows rest. */
  readonly isForgotten: boolean;
  readonly isApproved: boolean;
  /** The model had the prompt before the dialog opened. */
  readonly isBefore: boolean;
}

/** A sub-agent asks soon after the user's send; the person says no, and the prompt arrives. */
async function play(life: Life, afterMs: number, isForgotten: boolean): Promise<Round> {
  const post = new Post(life);
  const file = createWord().replace('letter', 'approved');
  const planted = join(life.home.cwd, file);
  const beside = await begin(life, [
    { do: 'tool', command: `touch ${file}` },
    { do: 'say', text: 'looked around' },
  ]);
  if (isForgotten) await forget(life);
  const letter = await post.sendAsUser('WORD @@say read');
  await pause(afterMs);
  beside.goOn();
  await life.hands.shows(dialog, patienceMs);
  const isBefore = post.requestsWith(letter).length > 0;
  await pause(answeredMs);
  const isApproved = existsSync(planted) || !(await isOpen(life));
  await deny(life);
  await isPrompt(post, letter);
  await settles(life);
  return { isForgotten, isApproved: isApproved || existsSync(planted), isBefore };
}
