import { createWord } from '../../test/lab/delivery/post.ts';
import type { Step } from '../../test/lab/mock-llm/directives.ts';
import type { LoggedRequest } from '../../test/lab/mock-llm/request-log.ts';
import { Team, worker } from '../../test/lab/team/team.ts';
import { call, say } from '../../test/lab/team/team-case.ts';
import { pins } from '../../test/lab/versions.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { median } from '../measure.ts';
import { benchLives, type Taken } from '../people/lives.ts';
import type { Part, Row } from '../suite.ts';
import { profile } from './cao/place.ts';
import type { CaoSeat } from './cao/seat.ts';
import { type Contest, inTurn, type PeerSurroundings, withContest } from './contest.ts';
import { findArrival } from './judge.ts';
import { modelRests, patienceMs } from './model-rest.ts';
import { clis, type ToolName } from './tool.ts';

const acts = ['answer', 'handoff'] as const;
type Act = (typeof acts)[number];

/** Milliseconds from the worker's word to the supervisor's request that holds it. */
interface Sample {
  readonly tool: ToolName;
  readonly act: Act;
  readonly ms: number;
}

/** What a supervisor of one tool can be told to do, and what its worker then does. */
interface Pair {
  readonly tool: ToolName;
  /** Gives the worker words that make its model do this, as a message of another agent. */
  tellWorker(words: string): Promise<void>;
  /** The call by which the worker writes to its supervisor. */
  readonly answers: (text: string) => Step;
  /** The call by which the supervisor hands off a task. */
  readonly handsOff: (task: string) => Step;
  tellSupervisor(words: string): Promise<unknown>;
  rests(): Promise<void>;
}

/** A worker's word on its way to the supervisor: as a message, and as a handoff's result. */
export function benchTeamwork(around: PeerSurroundings): Promise<Part> {
  const rounds = around.quick ? 2 : 10;
  return benchLives<Sample[]>(around, {
    title: 'A worker’s word to its supervisor',
    clis,
    begin: () => [],
    take: (cli, taken) =>
      withContest(around, { cli, withHand: false }, async (contest) => {
        const pairs = await openPairs(contest);
        for (let round = 0; round < rounds; round++) {
          for (const act of acts) {
            for (const pair of inTurn(pairs, round)) {
              around.signal.throwIfAborted();
              const ms = await (act === 'answer' ? playAnswer : playHandoff)(contest, pair);
              taken.push({ tool: pair.tool, act, ms });
            }
          }
        }
      }),
    toRows: (done) => done.flatMap(describeCli),
    how: `A supervisor and a worker of each tool, both real CLIs. Answer: the worker's model calls the tool's \`send_message\`; from the end of that answer of the model to the idle supervisor's request that holds the word. Handoff: \
the supervisor's model calls \`handoff\` (ours to a worker that is there, CAO's starts one each time); from the end of the worker's last answer to the supervisor's request with the call's result.`,
  });
}

async function openPairs({ life, cao }: Contest): Promise<readonly Pair[]> {
  const team = new Team(life);
  await team.readyWorker();
  const ours: Pair = {
    tool: 'signalbox',
    tellWorker: async (words) => void (await life.box.ask(['send', worker, words])),
    answers: (text) => call('send_message', { to: 'lab', body: text }),
    handsOff: (task) => call('handoff', { profile: worker, task }),
    tellSupervisor: (words) => life.ask(words),
    rests: async () => {
      await modelRests(life.mock);
      await team.rests('lab');
      await team.rests(worker);
    },
  };
  return cao ? [ours, await openTheirs({ life, cao })] : [ours];
}

async function openTheirs({ life, cao }: { life: Contest['life']; cao: CaoSeat }): Promise<Pair> {
  const { server } = cao.place;
  // Codex 0.166.0 writes a server's name with underscores.
  const tools = life.lab.name === 'codex' ? 'cao_mcp_server' : 'cao-mcp-server';
  const theirCall = (tool: string, given: object): Step => ({
    ...{ do: 'mcp', server: tools, tool },
    json: JSON.stringify(given),
  });
  await cao.rests();
  // A worker by `assign`: CAO then knows who is to hear its answers.
  const first = createWord();
  life.mock.teach(first, [
    theirCall('assign', { agent_profile: profile, message: `${first}task` }),
    say('It is assigned.'),
  ]);
  await cao.hands.submit(`::play ${first}`);
  const isTold = (): LoggedRequest | undefined => findArrival(life.mock.requests, `${first}task`);
  await waitUntil('the task at CAO’s worker', isTold, patienceMs);
  const there = await server.ask<readonly { readonly id: string }[]>(
    'GET',
    `/sessions/${cao.terminal.session_name}/terminals`,
  );
  const id = there.find((one) => one.id !== cao.terminal.id)?.id ?? '';
  const path = `/terminals/${id}/inbox/messages`;
  return {
    tool: 'CAO',
    tellWorker: async (words) => {
      await server.ask('POST', path, { sender_id: cao.terminal.id, message: words });
    },
    answers: (text) => theirCall('send_message', { message: text }),
    handsOff: (task) => theirCall('handoff', { agent_profile: profile, message: task }),
    tellSupervisor: (words) => cao.hands.submit(words),
    rests: async () => {
      await cao.rests();
      const isIdle = async (): Promise<boolean> => {
        const { status } = await server.ask<{ status: string }>('GET', `/terminals/${id}`);
        return status === 'idle' || status === 'completed';
      };
      await waitUntil('CAO’s worker at rest', isIdle, patienceMs);
    },
  };
}

async function playAnswer({ life }: Contest, pair: Pair): Promise<number> {
  await pair.rests();
  const [script, word] = [createWord(), createWord()];
  life.mock.teach(script, [pair.answers(`The answer is ${word}.`), say('It is sent.')]);
  await pair.tellWorker(`::play ${script}`);
  return await measure(life.mock.requests, script, word);
}

async function playHandoff({ life }: Contest, pair: Pair): Promise<number> {
  await pair.rests();
  const [script, work, word] = [createWord(), createWord(), createWord()];
  life.mock.teach(work, [say(`The answer is ${word}.`)]);
  life.mock.teach(script, [pair.handsOff(`Find the answer. ::play ${work}`), say('Thank you.')]);
  await pair.tellSupervisor(`::play ${script}`);
  return await measure(life.mock.requests, work, word);
}

/** From the end of the model's answer to the first to a request that was told the second. */
async function measure(
  requests: readonly LoggedRequest[],
  script: string,
  word: string,
): Promise<number> {
  const heard = await waitUntil('its word', () => findArrival(requests, word), patienceMs);
  const said = requests.find(
    ({ isSide, lastUserText }) => !isSide && lastUserText.includes(script),
  );
  return heard.at - (said?.endedAt ?? Number.NaN);
}

function describeCli({ name, taken }: Taken<Sample[]>): readonly Row[] {
  return acts.flatMap((act) => {
    const of = (tool: ToolName): readonly number[] =>
      taken.filter((one) => one.tool === tool && one.act === act).map(({ ms }) => ms);
    const [ours, theirs] = [of('signalbox'), of('CAO')];
    if (ours.length === 0) return [];
    const ms = (values: readonly number[]) => ({ value: median(values), unit: 'ms' }) as const;
    const against = { what: `CAO (n ${theirs.length})`, quantity: ms(theirs) };
    return [
      {
        what: `${name} ${pins[name].version}, ${act} → supervisor, signalbox (n ${ours.length})`,
        measured: ms(ours),
        ...(theirs.length > 0 ? { against } : {}),
      },
    ];
  });
}
