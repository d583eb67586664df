import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentView } from '../../../src/protocol/agents.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import { findFamily, isAlive, signalProcess } from '../processes.ts';
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
  readonly run: (scene: Scene) => Promise<void>;
}

/** A tool of the CLI's own asks, which would make this file. */
interface Asked {
  readonly file: string;
  readonly question: Question;
}

async function ask({ life, asking }: Scene): Promise<Asked> {
  const file = join(life.home.cwd, createWord());
  await life.hands.submit(asking.prompt(file));
  const question = await isAsked(life, file);
  return { file, question };
}

async function isAsked(life: Life, file: string): Promise<Question> {
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

async function decide(life: Life, { question }: Asked, decision: 'allow' | 'deny'): Promise<void> {
  const { code, document } = await life.box.attemptAsUser(['answer', 'lab', question.id, decision]);
  const { outcome } = document;
  must(code === 0 && outcome === 'taken', `it came to ${code} ${JSON.stringify(document)}`);
}

async function isGone(life: Life, { question }: Asked): Promise<void> {
  const { code, document } = await life.box.attemptAsUser(['answer', 'lab', question.id, 'allow']);
  const said = document.error?.code;
  must(code === 1 && said === 'question-gone', `it came to ${code} ${JSON.stringify(document)}`);
}

/** The dialog is there, and nothing has come of it. */
async function isUntouched(life: Life, { file, question }: Asked): Promise<void> {
  const { questions = [], status } = await life.show();
  must(status === 'waiting', `it is ${status}`);
  must(
    questions.some(({ id }) => id === question.id),
    'its question is not listed any more',
  );
  must(!existsSync(file), 'the tool has run');
}

async function rests({ life }: Scene): Promise<void> {
  await life.shows('rest without a question', (agent) => isAtRest(agent) && !agent.questions);
  await leavesNothing(life);
}

/** No process of ours holds a question that is over. */
async function leavesNothing(life: Life): Promise<void> {
  const isHeld = (): boolean =>
    findFamily(undefined, `SIGNALBOX_AGENT=${life.agent.id}`).some(({ command }) =>
      command.includes('post decide'),
    );
  await waitUntil('the end of the hook', () => !isHeld(), 15_000);
}

async function isRefused(
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

export const answerCases: readonly AnswerCase[] = [
  {
    name: 'allowed',
    promise: 'the tool runs, once, and its CLI has confirmed it',
    run: async (scene) => {
      const asked = await ask(scene);
      await decide(scene.life, asked, 'allow');
      await waitUntil('what the tool makes', () => existsSync(asked.file), patienceMs);
      await rests(scene);
    },
  },
  {
    name: 'denied',
    promise: 'the tool does not run, its CLI has confirmed it, and the turn goes on or ends',
    run: async (scene) => {
      const asked = await ask(scene);
      await decide(scene.life, asked, 'deny');
      await rests(scene);
      must(!existsSync(asked.file), 'the tool has run');
    },
  },
  {
    name: 'stale',
    promise:
      'an answer to a question that is closed, or that another one has followed, does nothing: `question-gone`, exit 1',
    run: async (scene) => {
      const first = await ask(scene);
      await decide(scene.life, first, 'deny');
      await rests(scene);
      await isGone(scene.life, first);
      const second = await ask(scene);
      await isGone(scene.life, first);
      await isUntouched(scene.life, second);
      await decide(scene.life, second, 'deny');
      await rests(scene);
      must(!existsSync(first.file), 'the first tool has run');
    },
  },
  {
    name: 'terminal-yes',
    promise: 'answered with Yes at the terminal first: the tool runs, and our answer is gone',
    run: async (scene) => {
      const { life, asking } = scene;
      const asked = await ask(scene);
      await pressInDialog(life, asking.dialog, asking.yesKeys);
      await waitUntil('what the tool makes', () => existsSync(asked.file), patienceMs);
      await isGone(life, asked);
      await rests(scene);
    },
  },
  {
    name: 'terminal-no',
    promise:
      'answered with Esc at the terminal first: the tool does not run, and our answer is gone',
    run: async (scene) => {
      const { life, asking } = scene;
      const asked = await ask(scene);
      await pressInDialog(life, asking.dialog, life.lab.denyKeys);
      await rests(scene);
      await isGone(life, asked);
      must(!existsSync(asked.file), 'the tool has run');
    },
  },
  {
    name: 'by-script',
    promise: 'a script of the user gets exit 5, and the dialog stays',
    run: async (scene) => {
      const asked = await ask(scene);
      await isRefused(scene.life, asked, {});
      await decide(scene.life, asked, 'deny');
      await rests(scene);
    },
  },
  {
    name: 'by-agent',
    promise: 'an agent gets exit 5, its own launcher too, and the dialog stays',
    run: async (scene) => {
      const asked = await ask(scene);
      await isRefused(scene.life, asked, { SIGNALBOX_AGENT: scene.life.agent.id });
      await isRefused(scene.life, asked, { SIGNALBOX_AGENT: await findBoss(scene.life) });
      await decide(scene.life, asked, 'deny');
      await rests(scene);
    },
  },
  {
    name: 'by-supervisor',
    promise:
      'one that the user has named may deny, and allow no more than it may itself; the history names it',
    run: async (scene) => {
      const { life } = scene;
      const boss = await findBoss(life);
      const { name, session } = await life.box.ask<AgentView>(['status', boss]);
      const asked = await ask(scene);
      const settings = join(life.box.state, 'config.yaml');
      writeFileSync(settings, `supervisors-answer: ${session}/${name}\n`);
      const answer = (decision: string) =>
        life.box.attempt(['answer', 'lab', asked.question.id, decision], {
          SIGNALBOX_AGENT: boss,
          SIGNALBOX_TOKEN: tokenOf(boss),
        });
      const allowed = await answer('allow');
      must(allowed.code === 5, `to allow came to ${JSON.stringify(allowed.document)}`);
      const denied = await answer('deny');
      must(denied.document['outcome'] === 'taken', `it came to ${JSON.stringify(denied)}`);
      writeFileSync(settings, '');
      await rests(scene);
      const [row] = (await life.show()).answers ?? [];
      const isNamed = row?.by.id === boss && row.decision === 'deny' && row.outcome === 'taken';
      must(isNamed, `the history has ${JSON.stringify(row)}`);
    },
  },
  {
    name: 'daemon-killed',
    promise:
      'the daemon is killed while it asks: the next one has the same question, and answers it',
    run: async (scene) => {
      const { life } = scene;
      const asked = await ask(scene);
      await life.box.killDaemon();
      must(!existsSync(asked.file), 'the tool has run');
      await life.box.up();
      const again = await isAsked(life, asked.file);
      must(again.text === asked.question.text, 'its question has changed');
      await decide(life, { ...asked, question: again }, 'allow');
      await waitUntil('what the tool makes', () => existsSync(asked.file), patienceMs);
      await rests(scene);
    },
  },
  {
    name: 'killed-deciding',
    promise:
      'the daemon is killed with a decision that it has noted: nothing reaches the CLI, the history says unknown, and it asks still',
    run: async (scene) => {
      const { life } = scene;
      await life.box.down();
      await life.box.up({ SIGNALBOX_FAILPOINTS: 'answer.noted=kill' });
      await life.shows('rest', isAtRest);
      const asked = await ask(scene);
      const cut = await life.box.attemptAsUser(['answer', 'lab', asked.question.id, 'allow']);
      must(cut.code !== 0, 'it came to an end');
      await life.box.up();
      const again = await isAsked(life, asked.file);
      must(!existsSync(asked.file), 'the tool has run');
      const [row] = (await life.show()).answers ?? [];
      must(row?.outcome === 'unknown', `the history has ${JSON.stringify(row)}`);
      await decide(life, { ...asked, question: again }, 'deny');
      await rests(scene);
    },
  },
  {
    name: 'agent-killed',
    promise: 'the agent is killed while it asks: our answer is refused, and no process stays',
    run: async (scene) => {
      const { life } = scene;
      const asked = await ask(scene);
      const root = await life.rootProcess();
      signalProcess(root, 'SIGKILL');
      await waitUntil('its end', () => !isAlive(root), patienceMs);
      const late = await life.box.attemptAsUser(['answer', 'lab', asked.question.id, 'allow']);
      must(late.code !== 0, `it came to ${JSON.stringify(late)}`);
      await leavesNothing(life);
      must(!existsSync(asked.file), 'the tool has run');
    },
  },
];

/** Whoever has launched it, as far as the ledger knows; it may do less than run a command. */
async function findBoss(life: Life): Promise<string> {
  const { parent } = await life.show();
  if (!parent) throw new Error('it was launched below another');
  return parent.id;
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

/** As its own program has it. */
function tokenOf(agent: string): string {
  for (const { pid } of findFamily(undefined, `SIGNALBOX_AGENT=${agent}`)) {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const [, token] = /(?:^|\0)SIGNALBOX_TOKEN=([^\0]+)/.exec(text) ?? [];
    if (token !== undefined) return token;
  }
  throw new Error('no process of the supervisor has a token');
}
