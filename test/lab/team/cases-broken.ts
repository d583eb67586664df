import { waitUntil } from '../../support/wait-until.ts';
import { Person } from '../delivery/person.ts';
import { createWord } from '../delivery/post.ts';
import { must } from '../life/check.ts';
import { isAtRest, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { findFamily, signalProcess } from '../processes.ts';
import { assigns } from './cases-daemon.ts';
import { readEntries } from './conversation-of.ts';
import { areAnswered, copiesIn } from './judge-answers.ts';
import { type Team, worker } from './team.ts';
import { call, hold, say, type TeamCase } from './team-case.ts';

/** After a failure an agent is left alone for 30 s, and then for 60 s. */
const afterBackOffMs = patienceMs + 60_000;

/** Waits that end otherwise than by an answer, and answers that come after such an end. */
export const brokenCases: readonly TeamCase[] = [
  {
    name: 'esc-handoff',
    promise: 'rule 31: a person breaks off the handoff; the answer comes as a message, once',
    run: async (team) => {
      await team.readyWorker();
      await team.settles();
      const person = new Person(team.life);
      // What was broken off may leave the conversation: it is known by what was said before.
      const said = await person.opens();
      const word = createWord();
      const resting = hold();
      const work = team.teach(resting.step, say(`The answer is ${word}.`));
      const task = `Find the answer. ${work}`;
      await team.tell(call('handoff', { profile: worker, task }), say('Thank you.'));
      await team.begins(work);
      await breaksOff(team);
      if (await person.hasDraft()) await person.empties();
      const from = Date.now();
      resting.release();
      const heard = await team.learns(said, word);
      await team.settles();
      must(team.placeOf(heard, word) === 'user', 'it did not come as a message');
      await areAnswered(team, [{ giver: 'lab', said, work, word }]);
      return { answer: heard.at - from };
    },
  },
  {
    name: 'worker-gone',
    promise: 'rules 31 and 48: killed at work, its giver is told once; a further task is refused',
    run: async (team) => {
      await team.readyWorker();
      await team.settles();
      const task = await assigns(team);
      const { id = '' } = (await team.find(worker)) ?? {};
      const killedAt = Date.now();
      for (const found of findFamily(undefined, `SIGNALBOX_AGENT=${id}`))
        signalProcess(found, 'SIGKILL');
      const isTold = (request: LoggedRequest): boolean =>
        request.body.includes(task.said) && ends(request, 'exited').length > 0;
      const told = await team.sees('the word that it has exited', isTold);
      task.release();
      await team.settles();
      const copies = ends(team.latest(task.said), 'exited');
      must(copies.length === 1, `its giver was told ${copies.length} times`);
      await isRefused(team);
      await team.remove(worker);
      return { answer: told.at - killedAt };
    },
  },
  {
    name: 'api-fails',
    promise:
      'rule 30: the worker’s API fails for a while; one word when a turn fails, and then the answer, once',
    run: async (team) => {
      await team.readyWorker();
      await team.settles();
      const word = createWord();
      const failing = [{ do: 'fail', status: 429, times: Infinity }] as const;
      const name = createWord();
      const { mock } = team.life;
      mock.teach(name, failing);
      const work = `::play ${name}`;
      const task = `Find the answer. ${work}`;
      const said = await team.tell(call('assign', { profile: worker, task }), say('I wait.'));
      await team.begins(work);
      const { id } = await findTask(team, work);
      // Whatever asks for it again.
      const reminders = [`your answer to task ${id}`, `Not answered yet: ${id}`];
      for (const reminder of reminders) mock.answerWith(reminder, failing);
      const isNoticed = (request: LoggedRequest): boolean =>
        request.body.includes(said) &&
        ends(request, 'failed').some(({ header }) => header.includes(`still owes ${id}`));
      // Gemini CLI 0.61.0 tries again by itself for minutes: then there is nothing to tell.
      const noticed = await team.sees('the word of the failure', isNoticed).catch(() => undefined);
      const isAgain = ({ at, lastUserText, outcome }: LoggedRequest): boolean =>
        at > (noticed?.at ?? 0) &&
        outcome === 'failed' &&
        [work, ...reminders].some((words) => lastUserText.includes(words));
      // A CLI that is not given it again by then is reminded after the API is well.
      if (noticed) await team.sees('another failure', isAgain).catch(() => undefined);
      const answer = [say(`The answer is ${word}.`)];
      mock.teach(name, answer);
      for (const reminder of reminders) mock.answerWith(reminder, answer);
      const wellAt = Date.now();
      const heard = await team.learns(said, word, afterBackOffMs);
      await team.settles();
      for (const reminder of reminders) mock.answerWith(reminder, undefined);
      await areAnswered(team, [{ giver: 'lab', said, work, word }]);
      const woken = team.life.mock.requests.filter(
        ({ isSide, body, lastUserText }) =>
          !isSide &&
          body.includes(said) &&
          lastUserText.includes('completion (failed)') &&
          !lastUserText.includes(`answers ${id}`),
      );
      const most = (await isFailed(team)) ? 1 : 0;
      must(woken.length === most, `its giver was woken ${woken.length} times by the failures`);
      const [failed] = team.turnsOf(work);
      const notice = noticed ? { notice: noticed.at - (failed?.endedAt ?? 0) } : {};
      return { ...notice, answer: heard.at - wellAt };
    },
  },
];

/**
 * Presses what breaks off a turn until the supervisor rests; its model has said all it had to say,
 * and its tool waits.
 */
async function breaksOff({ life }: Team): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    const from = life.events.length;
    await life.hands.press(life.lab.interruptKeys, 300 * 2 ** Math.min(tries, 3));
    const isOver = (): boolean =>
      life.current !== undefined && isAtRest(life.current) && life.events.length > from;
    const isDone = await waitUntil('rest', isOver, 5000).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  throw new Error('the keys did not break it off');
}

/** By both tools and by the command line, and no debt is left of it. */
async function isRefused(team: Team): Promise<void> {
  const work = team.teach(say('Nobody says this.'));
  const given = { profile: worker, task: `Find the answer. ${work}` };
  const said = await team.tell(call('assign', given), call('handoff', given), say('I see.'));
  const last = await team.sees(
    'both refusals',
    ({ callsSince, lastUserText }) => callsSince === 2 && lastUserText.includes(said),
  );
  const refused = readEntries(last).filter(
    (entry) => entry.kind === 'result' && /has exited \(.*cannot take a task/.test(entry.text),
  );
  must(refused.length === 2, `${refused.length} of 2 calls were refused`);
  const word = await team.life.box.ask(['assign', worker, 'Find it.']).then(
    () => 'taken',
    (error: unknown) => `${error}`,
  );
  must(/ended with 5: .*has exited .*cannot take a task/.test(word), `the command line: ${word}`);
  must((await team.find(worker))?.owes === undefined, 'it owes an answer');
  const tasks = (await team.inbox(worker)).filter(
    ({ kind, body }) => kind === 'task' && body.includes(work),
  );
  must(tasks.length === 0, 'the ledger has the task');
}

function ends(request: LoggedRequest | undefined, outcome: string) {
  return request
    ? copiesIn(request).filter(({ header }) => header.startsWith(`completion (${outcome})`))
    : [];
}

/** By the ledger: a turn of the worker failed. */
async function isFailed(team: Team): Promise<boolean> {
  const told = (await team.inbox('lab')).filter(({ kind }) => kind === 'completion');
  return told.some(({ outcome, child }) => outcome === 'failed' && child?.name === worker);
}

async function findTask(team: Team, work: string) {
  const found = (await team.inbox(worker)).find(
    ({ kind, body }) => kind === 'task' && body.includes(work),
  );
  if (!found) throw new Error('the ledger has no such task');
  return found;
}
