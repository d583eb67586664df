import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/shared/clock.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { begin, comes, isOpen } from '../delivery/sub-agent.ts';
import { must } from '../life/check.ts';
import { patienceMs } from '../life/life.ts';
import type { Asking } from './askers.ts';
import {
  type AnswerCase,
  type Asked,
  decide,
  isAsked,
  isGone,
  pressInDialog,
  rests,
  type Scene,
} from './scene.ts';

const isFor = ({ hidesSubAgents }: Asking): boolean => hidesSubAgents === true;
/** Longer than the CLI's own state takes to say that nobody is asked. */
const heldMs = 6000;

/** The main conversation rests, a sub-agent of it asks, and nobody is at the terminal. */
async function askBelow({ life }: Scene): Promise<Asked> {
  const file = join(life.home.cwd, createWord());
  const beside = await begin(life, [
    { do: 'tool', command: `touch ${file}` },
    { do: 'say', text: 'looked around' },
  ]);
  beside.goOn();
  const question = await isAsked(life, file);
  must(question.isSubAgents === true, 'nothing says that a sub-agent asks');
  await systemClock.sleep(heldMs);
  const { status, questions = [] } = await life.show();
  must(status === 'waiting' && questions.length === 1, `after a while it is ${status}`);
  must(!(await isOpen(life)), 'its dialog is on the screen');
  return { file, question };
}

export const subAgentCases: readonly AnswerCase[] = [
  {
    name: 'sub-agent-allowed',
    promise:
      'nobody is at the terminal, and a sub-agent asks: it is `waiting`, and allowed its tool runs',
    isFor,
    run: async (scene) => {
      const asked = await askBelow(scene);
      await decide(scene.life, asked, 'allow');
      await waitUntil('what the tool makes', () => existsSync(asked.file), patienceMs);
      await rests(scene);
    },
  },
  {
    name: 'sub-agent-denied',
    promise: 'the same, denied: its tool does not run',
    isFor,
    run: async (scene) => {
      const asked = await askBelow(scene);
      await decide(scene.life, asked, 'deny');
      await rests(scene);
      must(!existsSync(asked.file), 'the tool has run');
    },
  },
  {
    name: 'sub-agent-attached',
    promise:
      'somebody comes to the terminal meanwhile: the dialog is drawn, our answer is gone, and their Yes counts',
    isFor,
    run: async (scene) => {
      const { life } = scene;
      const asked = await askBelow(scene);
      const leave = await comes(life);
      try {
        await waitUntil('its dialog', () => isOpen(life), patienceMs);
        await isGone(life, asked);
        await pressInDialog(scene.life, scene.asking.dialog, scene.asking.yesKeys);
        await waitUntil('what the tool makes', () => existsSync(asked.file), patienceMs);
      } finally {
        await leave();
      }
      await rests(scene);
    },
  },
  {
    name: 'sub-agent-daemon-killed',
    promise:
      'the daemon is killed while one asks: the next one has the same question, and answers it',
    isFor,
    run: async (scene) => {
      const { life } = scene;
      const asked = await askBelow(scene);
      await life.box.killDaemon();
      await life.box.up();
      const again = await isAsked(life, asked.file);
      must(again.text === asked.question.text, 'its question has changed');
      await decide(life, { ...asked, question: again }, 'deny');
      await rests(scene);
      must(!existsSync(asked.file), 'the tool has run');
    },
  },
];
