import { setTimeout as delay } from 'node:timers/promises';
import type { AgentView } from '../../../src/protocol/agents.ts';
import type { MessageView } from '../../../src/protocol/messages.ts';
import type { TaskView } from '../../../src/protocol/tasks.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { longAnswer } from '../delivery/person.ts';
import { createWord } from '../delivery/post.ts';
import { traits } from '../delivery/traits.ts';
import { must } from '../life/check.ts';
import { type Hands, keyPauseMs } from '../life/hands.ts';
import { patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { type Team, worker } from './team.ts';
import { say, type TeamCase } from './team-case.ts';

/** The reminder comes after 10 s of rest, and the giver is told 10 s after the next rest. */
const answerMs = patienceMs + 60_000;
/** A CLI may put a broken-off prompt back into the composer, and takes its time. */
const putBackMs = 2000;
const slowestKeyMs = 2500;
/** Until a new conversation is on the screen. */
const drawnMs = 1000;

/**
 * A person interrupts the turn that reads a task, and then says something else to the worker. Some
 * CLIs drop the interrupted prompt: their next turn knows nothing of the task.
 */
export const interruptedCases: readonly TeamCase[] = [
  {
    name: 'esc-task',
    promise:
      'rules 9, 27 and 30: a person interrupts the answer to a task and says something else; only a turn whose model was sent the task answers it',
    run: (team) => interruptsTask(team, { how: 'stream' }),
  },
  {
    name: 'esc-task-silent',
    promise: 'the same, interrupted before the model has said a word',
    run: (team) => interruptsTask(team, { how: 'hang' }),
  },
  {
    name: 'esc-task-new',
    promise: 'the same, and the person goes on in a new conversation',
    run: (team) => interruptsTask(team, { how: 'stream', isNew: true }),
  },
];

async function interruptsTask(
  team: Team,
  { how, isNew = false }: { readonly how: 'stream' | 'hang'; readonly isNew?: boolean },
) {
  const { mock, box } = team.life;
  await team.readyWorker();
  await team.settles();
  const hands = await team.handsOf(worker);
  const [word, otherWord, name] = [createWord(), createWord(), createWord()];
  mock.teach(name, [how === 'stream' ? longAnswer : { do: 'hang' }]);
  const work = `::play ${name}`;
  const { task } = await box.ask<TaskView>(['assign', worker, `Find the answer. ${work}`]);
  const request = await team.begins(work);
  if (how === 'stream') await hands.shows(/word20\b/, patienceMs);
  const answer = [say(`The answer is ${word}.`)];
  mock.teach(name, answer);
  mock.recall(`your answer to task ${task}`, answer);
  await interrupts(team, hands, request);
  await empties(team, hands);
  if (isNew) {
    await hands.submit(traits[team.cli].fresh);
    await delay(drawnMs);
  }
  const otherWork = await team.tellAt(hands, say(`That is ${otherWord}.`));
  const other = await team.begins(otherWork);
  const isSent = other.body.includes(work);
  const answered = await waitUntil('the answer', () => findAnswer(team, task), answerMs);
  await box.ask(['inbox', 'drain']);
  const isOther = answered.body.includes(otherWord);
  must(!isOther || isSent, 'the answer to the person’s own words answers the task');
  must(isOther || answered.body.includes(word), `the answer: ${JSON.stringify(answered.body)}`);
  await team.settles();
  const answers = await listAnswers(team, task);
  must(answers.length === 1, `${answers.length} messages answer ${task}`);
  const { endedAt = 0 } = team.turnsOf(otherWork).at(-1) ?? {};
  return { answer: Date.parse(answered.createdAt) - endedAt, kept: Number(isSent) };
}

/** Every try is slower: a loaded machine takes keys late. */
async function interrupts(team: Team, hands: Hands, request: LoggedRequest): Promise<void> {
  const { lab } = team.life;
  for (let tries = 0; tries < 8 && request.outcome === undefined; tries++) {
    await hands.press(lab.interruptKeys, Math.min(keyPauseMs * 2 ** tries, slowestKeyMs));
    await waitUntil('its end', () => request.outcome, 4000).catch(() => undefined);
  }
  must(request.outcome === 'client-closed', `the keys did not end it: ${request.outcome}`);
  await team.rests(worker);
}

/** The person throws away what the CLI put back into the composer. */
async function empties(team: Team, hands: Hands): Promise<void> {
  await delay(putBackMs);
  for (let tries = 0; tries < 5 && (await showWorker(team)).composer === 'draft'; tries++) {
    await hands.press(traits[team.cli].emptyAllKeys);
    await delay(putBackMs);
  }
}

function showWorker(team: Team): Promise<AgentView> {
  return team.life.box.ask<AgentView>(['status', worker]);
}

async function findAnswer(team: Team, task: string): Promise<MessageView | undefined> {
  await team.dialogs.attend();
  return (await listAnswers(team, task))[0];
}

async function listAnswers(team: Team, task: string): Promise<readonly MessageView[]> {
  return (await team.inbox('user')).filter(
    ({ kind, outcome, replyTo = [], owes = [] }) =>
      (kind === 'message' || (kind === 'completion' && outcome === 'completed')) &&
      replyTo.includes(task) &&
      !owes.includes(task),
  );
}
