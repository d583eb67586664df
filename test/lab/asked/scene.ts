import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentView } from '../../../src/protocol/agents.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import { findFamily } from '../processes.ts';
import type { Asking } from './askers.ts';

type Question = NonNullable<AgentView['questions']>[number];

/** One agent of one CLI, and what it asks: each case leaves it at rest. */
export interface Scene {
  readonly life: Life;
  readonly asking: Asking;
}

export interface AnswerCase {
  readonly name: string;
  readonly promise: string;
  /** All CLIs, unless it says which. */
  readonly isFor?: (asking: Asking) => boolean;
  readonly run: (scene: Scene) => Promise<void>;
}

/** A tool of the CLI's own asks, which would make this file. */
export interface Asked {
  readonly file: string;
  readonly question: Question;
}

export async function ask({ life, asking }: Scene): Promise<Asked> {
  const file = join(life.home.cwd, createWord());
  await life.hands.submit(asking.prompt(file));
  const question = await isAsked(life, file);
  return { file, question };
}

export async function isAsked(life: Life, file: string): Promise<Question> {
  let found: Question | undefined;
  await waitUntil(
    'its question',
    async () => {
      const { questions = [], status } = await life.show();
      found = questions.find(({ text }) => text.includes(file));
      return found !== undefined && status === 'waiting';
    },
    patienceMs,
  );
  if (!found) throw new Error('it was found');
  return found;
}

export async function decide(
  life: Life,
  { question }: Asked,
  decision: 'allow' | 'deny',
): Promise<void> {
  const { code, document } = await life.box.attemptAsUser(['answer', 'lab', question.id, decision]);
  const { outcome } = document;
  must(code === 0 && outcome === 'taken', `it came to ${code} ${JSON.stringify(document)}`);
}

export async function isGone(life: Life, { question }: Asked): Promise<void> {
  const { code, document } = await life.box.attemptAsUser(['answer', 'lab', question.id, 'allow']);
  const said = document.error?.code;
  must(code === 1 && said === 'question-gone', `it came to ${code} ${JSON.stringify(document)}`);
}

/** The dialog is there, and nothing has come of it. */
export async function isUntouched(life: Life, { file, question }: Asked): Promise<void> {
  const { questions = [], status } = await life.show();
  must(status === 'waiting', `it is ${status}`);
  must(
    questions.some(({ id }) => id === question.id),
    'its question is not listed any more',
  );
  must(!existsSync(file), 'the tool has run');
}

export async function rests({ life }: Scene): Promise<void> {
  await life.shows('rest without a question', (agent) => isAtRest(agent) && !agent.questions);
  await leavesNothing(life);
}

/** No process of ours holds a question that is over. */
export async function leavesNothing(life: Life): Promise<void> {
  const isHeld = (): boolean =>
    findFamily(undefined, `SIGNALBOX_AGENT=${life.agent.id}`).some(({ command }) =>
      command.includes('post decide'),
    );
  await waitUntil('the end of the hook', () => !isHeld(), 15_000);
}

export async function isRefused(
  life: Life,
  asked: Asked,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  for (const decision of ['allow', 'deny']) {
    const args = ['answer', 'lab', asked.question.id, decision];
    const { code, document } = await life.box.attempt(args, env);
    const said = document.error?.code;
    must(code === 5 && said === 'not-allowed', `it came to ${code} ${JSON.stringify(document)}`);
  }
  await isUntouched(life, asked);
}

/**
 * As a person would: again, while the dialog stands. Claude Code 2.1.325 throws away what is typed
 * into one in its first moments.
 */
export async function pressInDialog(
  { hands }: Pick<Life, 'hands'>,
  dialog: RegExp,
  keys: readonly string[],
): Promise<void> {
  await hands.shows(dialog, patienceMs);
  const isGone = async (): Promise<boolean> => !(await hands.sees(dialog));
  for (let tries = 0; tries < 5; tries++) {
    await hands.press(keys);
    const isOver = await waitUntil('the dialog to go', isGone, 3000).catch(() => false);
    if (isOver) return;
  }
  throw new Error('the dialog took no key');
}
