import type { MessageView } from '../../../src/protocol/messages.ts';
import type { TaskView } from '../../../src/protocol/tasks.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { pause } from '../delivery/cases-usual.ts';
import { createWord } from '../delivery/post.ts';
import { traits } from '../delivery/traits.ts';
import { must } from '../life/check.ts';
import { patienceMs } from '../life/life.ts';
import { isAlive, readProcess } from '../processes.ts';
import { readEntries } from './conversation-of.ts';
import { type Team, worker } from './team.ts';
import { hold, say, type TeamCase } from './team-case.ts';

const finished = 20;

/** Where a daemon can die between a turn's end and the completion that tells of it. */
const steps = ['turn.heard', 'turn.kept'] as const;

export const endCases: readonly TeamCase[] = [
  {
    name: 'ends-once',
    promise: `${finished} turns ended, one runs, the daemon starts anew three times and dies at each step of the next end: each end is told once`,
    run: async (team) => {
      await team.readyWorker();
      const words: string[] = [];
      for (let i = 0; i < finished; i++) words.push(await playTurn(team));
      words.push(await playThroughRestarts(team));
      words.push(await playWithout(team));
      for (const step of steps) words.push(await dieAt(team, step));
      await team.settles();
      await isEachOnce(team, words);
      return { turns: words.length };
    },
  },
  {
    name: 'answered-then-left',
    promise:
      'a task is answered while no daemon runs, and the person has begun another conversation before one does: the answer comes once',
    run: async (team) => {
      const { life } = team;
      const word = createWord();
      const running = hold();
      const work = team.teach(running.step, say(`The answer is ${word}.`));
      await life.box.ask(['assign', 'lab', `Find out. ${work}`]);
      await team.begins(work);
      await life.box.killDaemon();
      running.release();
      const [asked] = team.turnsOf(work);
      await life.mock.waitFor(({ n, outcome }) => n === asked?.n && outcome !== undefined);
      // Its end is drawn and on record before a person goes on.
      await pause(3000);
      await life.hands.submit(traits[team.cli].fresh);
      await pause(1000);
      await life.ask('@@say something else');
      await life.box.up();
      const find = async (): Promise<readonly MessageView[]> =>
        (await team.inbox('user')).filter(({ body }) => body.includes(word));
      await waitUntil('the answer', async () => (await find()).length > 0, patienceMs);
      await life.box.ask(['inbox', 'drain']);
      await team.settles();
      const answers = await find();
      must(answers.length === 1, `it came ${answers.length} times`);
      must(answers[0]?.owes === undefined, 'it is told as still owed');
      return {};
    },
  },
  {
    name: 'restarted-amid-task',
    promise:
      'the worker is restarted in the middle of its task: it goes on or is reminded, and its next answer settles it',
    run: async (team) => {
      const { life } = team;
      const running = hold();
      const work = team.teach(running.step, say('The first life said this.'));
      const { task } = await life.box.ask<TaskView>(['assign', 'lab', `Find out. ${work}`]);
      await team.begins(work);
      // A CLI that does not go on by itself is asked to.
      const word = createWord();
      const ask = `Not answered yet: ${task}`;
      life.mock.recall(ask, [say(`The second life says ${word}.`)]);
      await life.restart();
      running.release();
      await life.isReady(0);
      const isAnswered = async (): Promise<boolean> => {
        await team.dialogs.attend();
        return (await team.find('lab'))?.owes === undefined;
      };
      await waitUntil('the answer', isAnswered, patienceMs);
      const told = (await team.inbox('user')).filter(({ replyTo }) => replyTo?.includes(task));
      await life.box.ask(['inbox', 'drain']);
      await team.settles();
      const vain = told.filter(({ kind }) => kind === 'notice').map(({ body }) => body);
      must(vain.length === 0, `it was told as not answered: ${vain.join(' ')}`);
      const answers = told.filter((one) => one.outcome === 'completed' && one.owes === undefined);
      must(answers.length === 1, `it was answered ${answers.length} times`);
      const isAsked = life.mock.requests.some(({ body }) => body.includes(ask));
      const { body = '' } = answers[0] ?? {};
      must(!isAsked || body.includes(word), `its next answer was not taken, but ${body}`);
      return {};
    },
  },
];

/** A whole turn of the worker, and the completion that follows. */
async function playTurn(team: Team): Promise<string> {
  const { word, work } = await begin(team);
  await team.begins(work);
  await isTold(team, word);
  return word;
}

/** The daemon is stopped, killed and stopped again while the worker works. */
async function playThroughRestarts(team: Team): Promise<string> {
  const { box } = team.life;
  const running = hold();
  const { word, work } = await begin(team, running);
  await team.begins(work);
  for (const isKilled of [false, true, false]) {
    await (isKilled ? box.killDaemon() : box.down());
    await box.up();
    await team.rests('lab');
  }
  running.release();
  await isTold(team, word);
  return word;
}

/** The turn ends while nobody is there to hear of it. */
async function playWithout(team: Team): Promise<string> {
  const { box, mock } = team.life;
  const running = hold();
  const { word, work } = await begin(team, running);
  await team.begins(work);
  await box.killDaemon();
  running.release();
  const isAnswered = (): boolean => mock.requests.every(({ outcome }) => outcome !== undefined);
  await waitUntil('the end of the turn', isAnswered, patienceMs);
  await box.up();
  await isTold(team, word);
  return word;
}

async function dieAt(team: Team, step: (typeof steps)[number]): Promise<string> {
  const { box } = team.life;
  const running = hold();
  const { word, work } = await begin(team, running);
  await team.begins(work);
  await team.rests('lab');
  await box.down();
  await box.up({ SIGNALBOX_FAILPOINTS: `${step}=kill` });
  const daemon = readProcess(box.daemon.pid);
  running.release();
  await waitUntil(`the death at ${step}`, () => !daemon || !isAlive(daemon), patienceMs);
  await box.up();
  await isTold(team, word);
  return word;
}

async function begin(
  team: Team,
  running?: ReturnType<typeof hold>,
): Promise<{ readonly word: string; readonly work: string }> {
  const word = createWord();
  const steps = running ? [running.step] : [];
  const work = team.teach(...steps, say(`The end says ${word}.`));
  await team.life.box.ask(['send', worker, `Go on. ${work}`]);
  return { word, work };
}

async function completions(team: Team): Promise<readonly MessageView[]> {
  const all = await team.inbox('lab');
  return all.filter(({ kind, from }) => kind === 'completion' && from.name === worker);
}

async function isTold(team: Team, word: string): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    await team.dialogs.attend();
    return (await completions(team)).some(({ body }) => body.includes(word));
  };
  await waitUntil(`the word of a turn's end, ${word}`, isThere, patienceMs);
}

/** In the ledger, in what the supervisor's model was told, and nothing else beside. */
async function isEachOnce(team: Team, words: readonly string[]): Promise<void> {
  const told = await completions(team);
  for (const word of words) {
    const { length } = told.filter(({ body }) => body.includes(word));
    must(length === 1, `${word} was told ${length} times`);
  }
  const since = told.findIndex(({ body }) => body.includes(words[0] ?? ''));
  const others = told
    .slice(since)
    .filter(({ body }) => !words.some((word) => body.includes(word)))
    .map(({ outcome, body }) => `${outcome}: ${body.slice(0, 60)}`);
  must(others.length === 0, `told besides: ${others.join(', ')}`);
  const last = team.life.mock.requests.findLast(
    ({ isSide, body }) =>
      !isSide && words.some((word) => body.includes(`from ${worker}`) && body.includes(word)),
  );
  if (!last) throw new Error('the supervisor was told of none');
  const entries = readEntries(last).filter(({ kind }) => kind === 'user' || kind === 'result');
  for (const word of words) {
    const copies = entries.flatMap((entry) =>
      'text' in entry ? entry.text.split(word).slice(1) : [],
    );
    must(
      copies.length <= 1,
      `${word} stands ${copies.length} times in the supervisor's conversation`,
    );
  }
}
