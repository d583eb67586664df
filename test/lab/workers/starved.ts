import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { takesPaste } from '../../../src/agents/takes-paste.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { patienceMs } from '../life/life.ts';
import { type FoundProcess, findFamily, signalProcess } from '../processes.ts';
import { Team } from '../team/team.ts';
import { call, say } from '../team/team-case.ts';

/** Tasks that a worker was given while it stood still. */
export interface Starved {
  /** Of these the paste could not be verified: nobody knew whether it had been taken. */
  unverified: number;
  /** Reached the model once, and more than once. */
  once: number;
  more: number;
  /** Offered again, marked. */
  repeated: number;
}

const name = 'starved';

/**
 * On a machine that has no time for it, a CLI takes Enter long after we have stopped looking. Here
 * it stands still (SIGSTOP) from before the paste until that is written down as uncertain, and then
 * goes on: the records must show that its task came, and the end of its turn must answer it.
 */
export function starvedCheck(tasks: number, counted: Starved): Check {
  return {
    name: 'starved',
    promise: 'rules 6, 10, 30: a task whose Enter is taken late is done once',
    run: async (life) => {
      const team = new Team(life);
      await launch(team);
      const program = await findProgram(team);
      for (let n = 0; n < tasks; n++) {
        const work = team.teachTask(say('It is done.'));
        await team.rests(name);
        await takesText(team);
        signalProcess(program, 'SIGSTOP');
        await team.tell(
          call('assign', { profile: name, task: `The task. ${work}` }),
          say('It is under way.'),
        );
        const isUnverified = await becomesUncertain(team, work).finally(() =>
          signalProcess(program, 'SIGCONT'),
        );
        if (isUnverified) counted.unverified++;
        await team.begins(work);
        await team.settles();
        const turns = team.turnsOf(work).length;
        if (turns === 1) counted.once++;
        else counted.more++;
      }
      const inbox = await team.inbox(name);
      const given = inbox.filter(({ kind }) => kind === 'task');
      counted.repeated = given.filter(({ repeat }) => repeat).length;
      await team.remove(name);
      must(counted.unverified > 0, 'no paste was in doubt');
      must(counted.more + counted.repeated === 0, `of ${tasks}, ${counted.more} were done twice`);
      return undefined;
    },
  };
}

/** A worker whose tasks are prompts, and in front of whose CLI stands a shell. */
async function launch(team: Team): Promise<void> {
  const { box, home, lab } = team.life;
  const folder = join(box.state, 'profiles');
  mkdirSync(folder, { recursive: true });
  const head = `name: ${name}\nprovider: ${team.cli}\ntasks: prompt`;
  writeFileSync(join(folder, `${name}.md`), `---\n${head}\n---\nWork.\n`);
  // A program that tmux itself has started is let go on by it at once.
  const bin = join(home.folder, 'starved-bin');
  mkdirSync(bin);
  const program = findOnPath(home.env['PATH'] ?? '');
  const shell = join(bin, 'claude');
  writeFileSync(shell, `#!/bin/sh\n"${program}" "$@"\nexit $?\n`);
  chmodSync(shell, 0o755);
  const env = { ...home.env, ...lab.env, PATH: `${bin}${delimiter}${home.env['PATH']}` };
  const args = ['launch', name, '--name', name, '--parent', 'lab', '--cwd', home.cwd];
  await box.ask(args, { env, tail: home.args });
  await team.rests(name);
}

function findOnPath(path: string): string {
  const folder = path.split(delimiter).find((one) => existsSync(join(one, 'claude')));
  if (folder === undefined) throw new Error('There is no claude on the PATH.');
  return join(folder, 'claude');
}

/** The CLI itself, below its shell. */
async function findProgram(team: Team): Promise<FoundProcess> {
  const { id = '' } = (await team.find(name)) ?? {};
  const pid = await (await team.handsOf(name)).pid();
  const found = findFamily(undefined, `SIGNALBOX_AGENT=${id}`).find(({ parent }) => parent === pid);
  if (!found) throw new Error('The CLI is not below its shell.');
  return found;
}

/** For some seconds after a long paste nothing on the screen proves that the composer is empty. */
async function takesText(team: Team): Promise<void> {
  const { log } = team.life;
  const id = (await team.find(name))?.id ?? '';
  const isEmpty = (): boolean => takesPaste(log.of(id).at(-1)?.composer ?? 'unknown');
  await waitUntil('an empty composer', isEmpty, patienceMs);
}

/** False: it was verified after all. */
async function becomesUncertain(team: Team, task: string): Promise<boolean> {
  let isDoubtful = false;
  await waitUntil(
    'the end of the paste',
    async () => {
      const { state } = (await team.inbox(name)).find(({ body }) => body.includes(task)) ?? {};
      isDoubtful = state === 'uncertain';
      return isDoubtful || state === 'injected' || state === 'seen' || state === 'acked';
    },
    patienceMs,
  );
  return isDoubtful;
}
