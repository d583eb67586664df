import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.ts';
import { cases } from '../cases/list.ts';
import { must } from '../life/check.ts';
import { sandboxedModel } from '../mock-llm/choose-tool.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { dialogs } from './dialogs.ts';
import { callsThroughDaemon } from './through-daemon.ts';
import { randomWord, type ToolStage } from './tool-stage.ts';

/**
 * One thing that must be so for the tools of every CLI. They run in order; each leaves the agent at
 * rest.
 */
export interface ToolCheck {
  readonly name: string;
  readonly promise: string;
  /** Only when it is asked for by name. */
  readonly isLong?: true;
  readonly run: (stage: ToolStage) => Promise<string | undefined>;
}

const roleWord = randomWord();
const role = { instructions: `You are the tester of the lab.\nYour word is "${roleWord}".` };

export const toolChecks: readonly ToolCheck[] = [
  {
    name: 'call',
    promise: 'rule 39: a tool of ours is called without a dialog, as this agent',
    run: async (stage) => {
      await stage.start(role);
      const { isAsked } = await callsOurs(stage, 'first-call');
      return isAsked ? 'after a dialog, which this CLI cannot be spared' : undefined;
    },
  },
  {
    name: 'role',
    promise: 'the model gets the role beside what the user has told it himself',
    run: async (stage) => {
      const body = stage.mock.requests.filter(({ isSide }) => !isSide).at(-1)?.body ?? '';
      must(body.includes(roleWord), 'the role is not in the request');
      must(body.includes(stage.ownWord), "the user's own instructions are not in the request");
      return undefined;
    },
  },
  {
    name: 'resume',
    promise: 'the next life of the conversation has tools and role again',
    run: async (stage) => {
      const { conversation } = stage.life;
      must(conversation !== undefined, 'its conversation is not known');
      await stage.start(role, conversation === undefined ? {} : { resume: conversation });
      const { body, isAsked } = await callsOurs(stage);
      must(!isAsked, 'it asks again in the same conversation');
      must(body.includes(roleWord), 'the role is not in the request');
      must(body.includes('first-call'), 'it is another conversation');
      return undefined;
    },
  },
  {
    name: 'own-server',
    promise: "rule 39: the user's own MCP server is there, and still asks",
    run: async (stage) => {
      const before = stage.mock.requests.length;
      await stage.life.submit('@@mcp mine ping {} @@say after-mine');
      await stage.mock.waitFor(({ n, isSide }) => n > before && !isSide, 60_000);
      const isAsked = async (): Promise<boolean> => (await stage.look()).status === 'waiting';
      await waitUntil('a question on the screen', isAsked, 30_000);
      must(stage.mine.calls().length === 0, 'it was called unasked');
      await stage.life.terminal.settled(700, 20_000).catch(() => undefined);
      await stage.life.terminal.keys(...cases[stage.cli].denyKeys);
      const isOver = async (): Promise<boolean> => (await stage.look()).status !== 'waiting';
      await waitUntil('the end of the question', isOver, 20_000);
      return undefined;
    },
  },
  {
    name: 'read-only',
    promise: 'started read-only it runs no command unasked, and our tools can be called',
    run: async (stage) => {
      await stage.start({ ...role, permission: 'read-only' });
      await callsOurs(stage);
      const file = `${randomWord()}.txt`;
      const before = stage.mock.requests.length;
      await stage.life.submit(`@@tool touch ${file} @@say after-touch`);
      const isOver = async (): Promise<string | undefined> => {
        const isRefused = stage.mock.requests
          .slice(before)
          .some(({ isSide, callsSince }) => !isSide && callsSince > 0);
        if (isRefused) return 'refused';
        // Of the mock, when a tool is not even offered.
        if ((await stage.screen()).includes('finds no tool')) return 'not offered';
        return (await stage.look()).status === 'waiting' ? 'asked' : undefined;
      };
      const seen = await waitUntil('a refusal or a question', isOver, 60_000);
      must(!existsSync(join(stage.home.cwd, file)), 'the command ran');
      return seen;
    },
  },
  {
    name: 'all',
    promise: 'started with all permissions, by name, it asks nothing',
    run: async (stage) => {
      // With nobody to ask, Codex refuses a command that asks to leave its sandbox.
      const extraArgs = stage.cli === 'codex' ? ['-m', sandboxedModel] : [];
      await stage.start({ ...role, permission: 'all' }, { extraArgs });
      const file = `${randomWord()}.txt`;
      await stage.ask(`@@tool touch ${file} @@say after-touch`, 1);
      must(existsSync(join(stage.home.cwd, file)), 'the command did not run');
      return undefined;
    },
  },
  {
    name: 'files',
    promise: "rule 39: nothing of ours is in the user's files",
    run: async (stage) => {
      const changed = stage.changedFiles();
      must(changed.length === 0, `changed: ${changed.join(', ')}`);
      return undefined;
    },
  },
  ...(['stdio', 'http'] as const).map(
    (transport): ToolCheck => ({
      name: transport === 'stdio' ? 'daemon' : 'http',
      promise: `through \`launch\`, the daemon and its server over ${transport} the model finds itself`,
      run: ({ cli }) => callsThroughDaemon(cli, transport),
    }),
  ),
  ...[110, 130].map(
    (seconds): ToolCheck => ({
      name: `wait-${seconds}`,
      promise: `a call that is silent for ${seconds} s is answered in place`,
      isLong: true,
      run: async (stage) => {
        await stage.start(role);
        const startedAt = performance.now();
        const script = `@@mcp signalbox wait {"seconds":${seconds}} @@say after-waiting`;
        const { request } = await callsThrough(stage, script, (seconds + 60) * 1000);
        const took = (performance.now() - startedAt) / 1000;
        must(request.body.includes(stage.ours.word), `no result after ${took.toFixed(1)} s`);
        return `${took.toFixed(1)} s`;
      },
    }),
  ),
];

/** The call's result is in the next request, and its server was started as this agent. */
async function callsOurs(
  stage: ToolStage,
  said = 'after-the-call',
): Promise<{ readonly body: string; readonly isAsked: boolean }> {
  const before = stage.ours.calls().length;
  const script = `@@mcp signalbox list_agents {} @@say ${said}`;
  const { request, isAsked } = await callsThrough(stage, script, 60_000);
  must(request.body.includes(stage.ours.word), 'its result is not in the next request');
  const call = stage.ours.calls()[before];
  must(call?.tool === 'list_agents', 'the call did not reach the server');
  for (const [name, value] of Object.entries(stage.identity)) {
    must(call?.identity[name] === value, `the server got ${name}=${call?.identity[name]}`);
  }
  await stage.life.terminal.settled(1000, 30_000).catch(() => undefined);
  return { body: request.body, isAsked };
}

async function callsThrough(
  stage: ToolStage,
  script: string,
  deadlineMs: number,
): Promise<{ readonly request: LoggedRequest; readonly isAsked: boolean }> {
  const asked = stage.ask(script, 1, deadlineMs);
  const isAsked = dialogs[stage.cli] !== undefined && (await answersDialog(stage, asked));
  return { request: await asked, isAsked };
}

/** Whether there was one before the call was made. */
async function answersDialog(stage: ToolStage, asked: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  asked.then(over, over);
  const isOpen = async (): Promise<boolean> => (await stage.look()).status === 'waiting';
  await waitUntil('a question, or none', async () => isOver || (await isOpen()), 90_000);
  if (isOver) return false;
  await stage.life.terminal.settled(700, 20_000).catch(() => undefined);
  await stage.life.terminal.keys(...(dialogs[stage.cli] ?? []));
  return true;
}
