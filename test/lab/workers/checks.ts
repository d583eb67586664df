import type { AgentView } from '../../../src/protocol/agents.ts';
import type { MessageView } from '../../../src/protocol/messages.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createWord } from '../delivery/post.ts';
import { type Check, must } from '../life/check.ts';
import { type Life, patienceMs } from '../life/life.ts';
import { runTmux } from '../run-tmux.ts';
import { Team } from '../team/team.ts';
import { call, say } from '../team/team-case.ts';
import { type Starved, starvedCheck } from './starved.ts';

/** What was counted; a check that fails leaves what it had seen until then. */
export interface Counted {
  /** Handoffs whose answer was the result of their call. */
  answered: number;
  /** Those whose answer came later, as a message. */
  later: number;
  /** Workers that run, and terminals of workers, when all is over. */
  running: number;
  terminals: number;
  dead: number;
  /** Tasks that were offered a second time, marked as a possible repeat. */
  repeated: number;
  /** Tasks that went to a model in more than one turn. */
  twice: number;
  readonly starved: Starved;
  /** Milliseconds from one answer at the supervisor's model to the next. */
  readonly eachMs: number[];
  /** Follow-up tasks whose worker came back in its conversation and was sent its first task. */
  back: number;
  /** Milliseconds from the prompt that gives a follow-up task to its answer. */
  readonly backMs: number[];
}

export interface Wanted {
  readonly handoffs: number;
  readonly followUps: number;
  readonly starved: number;
}

interface Given {
  readonly name: string;
  readonly word: string;
  /** By these words the worker's model knows its task. */
  readonly work: string;
}

/** One prompt of the supervisor's user makes it call so many times in a row. */
const callsInTurn = 10;

/** A supervisor hands off one task after another, and goes back to the first of its workers. */
export function workerChecks(wanted: Wanted, counted: Counted): readonly Check[] {
  const given: Given[] = [];
  return [
    {
      name: 'handoffs',
      promise: 'rule 55: handoffs in a row leave no running worker and no dead letter',
      run: async (life) => {
        const team = await openTeam(life);
        for (let n = 0; n < wanted.handoffs; n += callsInTurn) {
          const tasks = Array.from({ length: Math.min(callsInTurn, wanted.handoffs - n) }, (_, i) =>
            prepare(team, `worker-${n + i + 1}`),
          );
          await handOff(team, tasks, counted);
          given.push(...tasks);
        }
        await leavesNothing(team, counted, wanted.handoffs);
        counted.twice = given.filter(({ work }) => team.turnsOf(work).length > 1).length;
        must(counted.twice === 0, `${counted.twice} tasks were done twice`);
        return undefined;
      },
    },
    {
      name: 'follow-ups',
      promise: 'rules 37, 55: a second task brings each ended worker back with its conversation',
      run: async (life) => {
        const team = new Team(life);
        const ended = await team.list();
        for (const { name, work } of given.slice(0, wanted.followUps)) {
          const before = ended.find((agent) => agent.name === name)?.conversation;
          await bringBack(team, { name, firstWork: work, before }, counted);
        }
        await leavesNothing(team, counted, wanted.handoffs);
        return undefined;
      },
    },
    starvedCheck(wanted.starved, counted.starved),
  ];
}

async function openTeam(life: Life): Promise<Team> {
  await life.launch();
  await life.isReady(0);
  return new Team(life);
}

function prepare(team: Team, name: string): Given {
  const word = createWord();
  return { name, word, work: team.teach(say(`The answer is ${word}.`)) };
}

async function handOff(team: Team, tasks: readonly Given[], counted: Counted): Promise<void> {
  const calls = tasks.map(({ name, work }) =>
    call('handoff', { profile: team.cli, name, task: `Find the answer. ${work}` }),
  );
  const said = await team.tell(...calls, say('I have all of them.'));
  // From here on nobody types.
  let last = Date.now();
  for (const { word } of tasks) {
    const heard = await team.learns(said, word);
    if (team.placeOf(heard, word) === 'result') counted.answered++;
    else counted.later++;
    counted.eachMs.push(heard.at - last);
    last = heard.at;
  }
  await team.rests('lab');
  for (const { word } of tasks) team.isOnce(team.latest(said), word);
}

async function bringBack(
  team: Team,
  worker: {
    readonly name: string;
    readonly firstWork: string;
    readonly before: string | undefined;
  },
  counted: Counted,
): Promise<void> {
  const { name, firstWork, before } = worker;
  const { word, work } = prepare(team, name);
  const askedAt = Date.now();
  const said = await team.tell(
    call('handoff', { profile: name, task: `And once more. ${work}` }),
    say('Thank you.'),
  );
  const { at } = await team.learns(said, word);
  counted.backMs.push(at - askedAt);
  const [turn] = team.turnsOf(work);
  must(turn?.body.includes(firstWork) === true, `${name} does not know its first task any more`);
  const { conversation } = await ends(team, name, 2);
  must(before !== undefined && conversation === before, `${name} is in another conversation`);
  team.isOnce(team.latest(said), word);
  counted.back++;
}

async function ends(team: Team, name: string, epoch: number): Promise<AgentView> {
  const isOver = async (): Promise<AgentView | undefined> => {
    await team.dialogs.attend();
    const agent = await team.find(name);
    const hasEnded = agent?.status === 'exited' && agent.endedBy === 'task';
    return hasEnded && agent.epoch === epoch ? agent : undefined;
  };
  return waitUntil(`the end of ${name}`, isOver, patienceMs);
}

/** Of all workers: they have ended with their tasks, and nothing of them is left over. */
async function leavesNothing(team: Team, counted: Counted, workers: number): Promise<void> {
  const find = async (): Promise<readonly AgentView[]> =>
    (await team.list()).filter(({ parent }) => parent?.name === 'lab');
  const count = async (): Promise<boolean> => {
    counted.running = (await find()).filter(({ status }) => status !== 'exited').length;
    counted.terminals = (await listInTerminals(team.life)).size - 1;
    return counted.running + counted.terminals === 0;
  };
  await waitUntil('no running worker', count, patienceMs).catch(() => {
    throw new Error(`${counted.running} workers run, in ${counted.terminals} terminals`);
  });
  const all = await find();
  must(all.length === workers, `${all.length} workers are there`);
  const strange = all.filter(({ endedBy }) => endedBy !== 'task').map(({ name }) => name);
  must(strange.length === 0, `not ended with their tasks: ${strange.join(', ')}`);
  const { messages } = await team.life.box.ask<{ readonly messages: readonly MessageView[] }>([
    ...['dead-letters', 'list'],
  ]);
  counted.dead = messages.length;
  must(messages.length === 0, `${messages.length} dead letters`);
  counted.repeated = 0;
  for (const { name } of all) {
    const tasks = (await team.inbox(name)).filter(({ kind }) => kind === 'task');
    // An attempt that was given up before anything was written has brought nobody anything.
    counted.repeated += tasks.filter(({ repeat }) => repeat).length;
  }
  await team.settles();
}

/** The agents that have a terminal, with what runs beside their programs. */
async function listInTerminals({ box }: Life): Promise<ReadonlySet<string>> {
  const listed = await runTmux(box.socket, ['list-panes', '-a', '-F', '#{@sbx-agent}'], {});
  return new Set(listed.split('\n').filter((agent) => agent !== ''));
}
