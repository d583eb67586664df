import { existsSync, readFileSync } from 'node:fs';
import type { AgentView } from '../../../src/protocol/agents.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { must } from '../life/check.ts';
import { isAtRest, type Life, patienceMs } from '../life/life.ts';
import { findFamily, isAlive, signalProcess } from '../processes.ts';
import { subAgentCases } from './cases-sub-agents.ts';
import {
  type AnswerCase,
  ask,
  decide,
  isAsked,
  isGone,
  isRefused,
  isUntouched,
  leavesNothing,
  pressInDialog,
  rests,
} from './scene.ts';

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
      const nameThem = async (value: string): Promise<void> => {
        const set = await life.box.attemptAsUser(['config', 'set', 'supervisors-answer', value]);
        must(set.code === 0, `to name it came to ${JSON.stringify(set.document)}`);
      };
      await nameThem(`${session}/${name}`);
      const answer = (decision: string) =>
        life.box.attempt(['answer', 'lab', asked.question.id, decision], {
          SIGNALBOX_AGENT: boss,
          SIGNALBOX_TOKEN: tokenOf(boss),
        });
      const allowed = await answer('allow');
      must(allowed.code === 5, `to allow came to ${JSON.stringify(allowed.document)}`);
      const denied = await answer('deny');
      must(denied.document['outcome'] === 'taken', `it came to ${JSON.stringify(denied)}`);
      await nameThem('');
      await rests(scene);
      const [row] = (await life.show()).answers ?? [];
      const isNamed = row?.by.id === boss && row.decision === 'deny' && row.outcome === 'taken';
      must(isNamed, `the history has ${JSON.stringify(row)}`);
    },
  },
  ...subAgentCases,
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

/** As its own program has it. */
function tokenOf(agent: string): string {
  for (const { pid } of findFamily(undefined, `SIGNALBOX_AGENT=${agent}`)) {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const [, token] = /(?:^|\0)SIGNALBOX_TOKEN=([^\0]+)/.exec(text) ?? [];
    if (token !== undefined) return token;
  }
  throw new Error('no process of the supervisor has a token');
}
