import { existsSync, linkSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttachView } from '../../../src/protocol/terminals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Check, must } from '../life/check.ts';
import { Hands } from '../life/hands.ts';
import { Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { isAlive, readProcess, signalProcess } from '../processes.ts';
import { runTmux } from '../run-tmux.ts';
import { BareGround } from './bare-ground.ts';
import { pause } from './cases-usual.ts';
import { createWord } from './post.ts';
import { traits } from './traits.ts';

/**
 * Everything of ours goes while a CLI runs with our hooks, one thing after the other. A person then
 * asks for a tool: the prompt must reach the model, the tool run, its result come back and the turn
 * end, as if there were no hooks; and the screen must not speak of them. Only the mock, the file
 * that the tool makes and the terminal are asked: signalbox is gone.
 */
export const goneCases: readonly Check[] = [
  {
    name: 'hooks-gone',
    promise:
      'rule 23: curl, Node, package, daemon and state folder are deleted while it runs; it goes on as if there were no hooks',
    hasOwnLife: true,
    run: async ({ lab, box }) => {
      const ground = BareGround.open(lab.name, box.program);
      const env = { ...lab.env, PATH: ground.path };
      const wish = { approvals: 'allow-shell' } as const;
      const life = await Life.open({ ...lab, env }, ground.program, wish);
      try {
        await life.launch();
        await life.isReady(0);
        life.log.close();
        must(hasHooks(life) !== withoutHooks.has(lab.name), 'it was not given what it should have');
        await goesOn(life, await terminalOf(life), ground);
      } finally {
        // The box knows the server by the socket that is gone.
        await runTmux(ownSocket(life), ['kill-server'], {}).catch(() => undefined);
        await life.close();
        ground.remove();
      }
      return undefined;
    },
  },
];

async function goesOn(life: Life, hands: Hands, ground: BareGround): Promise<void> {
  const daemon = readProcess(life.box.daemon.pid);
  if (!daemon) throw new Error('there is no daemon');
  const failures: string[] = [];
  const tries = async (what: string, act = usesTool): Promise<void> => {
    await act(life, hands).catch(async (error: Error) => {
      failures.push(`${what}: ${error.message}`);
      // What is kept of a failure is of another life: this one's terminal is told here.
      process.stderr.write(`${life.lab.name}, ${what}:\n${await shown(hands)}\n`);
    });
  };
  await tries('with everything in its place');
  signalProcess(daemon, 'SIGSTOP');
  await tries('with a daemon that hangs');
  signalProcess(daemon, 'SIGCONT');
  ground.removeCurl();
  await tries('without curl');
  ground.removeNode();
  await tries('without curl and Node');
  signalProcess(daemon, 'SIGKILL');
  await waitUntil('the end of the daemon', () => !isAlive(daemon));
  ground.removePackage();
  await tries('without daemon and package');
  rmSync(life.box.state, { recursive: true });
  await tries('without the state folder');
  await tries('calling our tools', callsOurTool);
  await tries('after a call of our tools');
  await hands.submit(traits[life.lab.name].clear);
  // A CLI that draws everything anew loses what is pasted meanwhile.
  await pause(3000);
  // Copilot 1.0.102 starts our tools anew, and says that it cannot.
  await tries('in a new conversation', () => usesTool(life, hands, hookTrouble));
  must(failures.length === 0, failures.join('; '));
}

/** Codex is given none, and what OpenCode and Copilot load besides is no command. */
const withoutHooks: ReadonlySet<string> = new Set(['codex', 'opencode']);

/** Whether a file of its run names our script. Links lead into the home, where nothing is ours. */
function hasHooks({ box }: Life): boolean {
  const files = readdirSync(join(box.state, 'run', 'agents'), {
    withFileTypes: true,
    recursive: true,
  }).filter((entry) => entry.isFile());
  return files.some(({ parentPath, name }) =>
    readFileSync(join(parentPath, name), 'latin1').includes('hooks/post'),
  );
}

function ownSocket({ home }: Life): string {
  return join(home.folder, 'tmux.sock');
}

/** By a link of our own to the server's socket, which goes with the state folder. */
async function terminalOf(life: Life): Promise<Hands> {
  const { argv } = await life.box.ask<AttachView>(['attach', 'lab']);
  const own = ownSocket(life);
  linkSync(life.box.socket, own);
  return new Hands(argv.map((word) => (word === life.box.socket ? own : word)));
}

function shown(hands: Hands): Promise<string> {
  return hands.scrollback().catch((error) => `its terminal is gone: ${error}`);
}

async function usesTool(life: Life, hands: Hands, trouble = anyTrouble): Promise<void> {
  const word = createWord();
  const file = `${word}.txt`;
  const before = complaints(await hands.scrollback(), trouble);
  await hands.submit(`@@tool touch ${file} @@say done with ${word}`);
  await isAnswered(life, word);
  must(existsSync(join(life.home.cwd, file)), 'the tool did not run');
  await hands.shows(new RegExp(`done with ${word}`), patienceMs);
  const told = complaints(await hands.scrollback(), trouble).slice(before.length);
  must(told.length === 0, `its screen says: ${told.join(' | ')}`);
}

/**
 * The model gets an error, or the CLI says itself that there is no such tool; the turn ends in
 * either case.
 */
async function callsOurTool(life: Life, hands: Hands): Promise<void> {
  const word = createWord();
  await hands.submit(`@@mcp signalbox list_agents {} @@say done with ${word}`);
  await isAnswered(life, word);
}

/** First the prompt, then the tool's result, and the last answer to its end. */
async function isAnswered({ mock }: Life, word: string): Promise<void> {
  const isOf = ({ isSide, body }: LoggedRequest): boolean => !isSide && body.includes(word);
  await mock.waitFor(isOf, patienceMs).catch(() => must(false, 'the prompt did not arrive'));
  const isLast = (request: LoggedRequest): boolean =>
    isOf(request) && request.callsSince > 0 && request.outcome === 'finished';
  await mock
    .waitFor(isLast, patienceMs)
    .catch(() => must(false, "the tool's result did not arrive"));
}

function complaints(text: string, trouble: RegExp): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => trouble.test(line));
}

const hookTrouble =
  /hook (?:\w+ )?(?:error|failed|blocked|warning)|hook errored|hook\(s\) \[|execution blocked|denied by|stop says/i;
/** Whatever speaks of a hook, or of a file of ours that is not there. */
const anyTrouble = new RegExp(
  `${hookTrouble.source}|not found|no such file|enoent|exited with code`,
  'i',
);
