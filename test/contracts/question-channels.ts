import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openQuestions as openCodex } from '../../src/providers/codex/questions.ts';
import { answersFolder } from '../../src/providers/copilot/answers-extension.ts';
import { openQuestions as openCopilot } from '../../src/providers/copilot/questions.ts';
import { openQuestions as openOpenCode } from '../../src/providers/opencode/questions.ts';
import { serverFile } from '../../src/providers/opencode/server.ts';
import type { Decision, QuestionChannel } from '../../src/providers/questions.ts';
import { eventFile, inputFile } from '../../src/providers/qwen/launch.ts';
import { openQuestions as openQwen } from '../../src/providers/qwen/questions.ts';
import type { LiveContext } from '../../src/providers/way-in.ts';
import type { Json } from '../../src/shared/json.ts';
import { FakeCopilot } from '../fakes/copilot-extension.ts';
import { FakeOpenCode } from '../fakes/opencode-server.ts';
import { active, contextIn, first, openCodexLife, user } from '../support/codex-life.ts';
import { tempHome } from '../support/home.ts';

/** One CLI that asks, as far as its channel sees it, and a person at its terminal. */
export interface ChannelWorld {
  /** As a daemon that starts, or starts again, does. */
  open(): QuestionChannel;
  changes(): number;
  /** It asks to run this command; the number tells its questions apart. */
  ask(n: number, command: string): void;
  /** The person at the terminal answers. */
  answerThere(n: number, decision: Decision): void;
  /** The next answer of ours finds that the person was quicker, by a moment. */
  isQuicker(decision: Decision): void;
  /** What was sent to the CLI, in order. */
  sent(): readonly Decision[];
  /** It reads what is sent, and is gone before it says a word. */
  diesOfAnswer(): void;
  /** It is gone. */
  die(): void;
}

type OpenWorld = () => Promise<ChannelWorld>;

export const channels: Readonly<Record<string, OpenWorld>> = {
  codex: async () => {
    const { server, life, changes } = await openCodexLife({
      threads: { [first]: { ...user, status: active } },
    });
    const open = closing((context) => openCodex(context));
    let quicker: Decision | undefined;
    const { endItem } = server;
    server.endItem = (asked, result) =>
      endItem(asked, quicker ? { decision: quicker === 'allow' ? 'accept' : 'decline' } : result);
    const end = (n: number, decision: Decision): object => ({
      id: `call_${n}`,
      status: decision === 'allow' ? 'completed' : 'declined',
    });
    return {
      open: () => open(life),
      changes,
      ask: (n, command) => {
        const names = { threadId: first, turnId: 'turn', itemId: `call_${n}` };
        const availableDecisions = ['accept', 'cancel'];
        const params = {
          ...names,
          command,
          cwd: '/srv/app',
          reason: 'it must',
          availableDecisions,
        };
        server.ask(n, 'item/commandExecution/requestApproval', params);
      },
      answerThere: (n, decision) => server.settle(n, end(n, decision)),
      isQuicker: (decision) => {
        quicker = decision;
      },
      sent: () =>
        server.answers.map(({ result }) =>
          (result as Json)['decision'] === 'accept' ? 'allow' : 'deny',
        ),
      diesOfAnswer: () => {
        server.hangsUpOnAnswer = true;
      },
      die: () => void server.close(),
    };
  },
  copilot: async () => {
    const { life, changes, runFolder } = liveIn();
    const fake = new FakeCopilot(answersFolder(runFolder));
    await fake.listen();
    onTestFinished(() => fake.stop());
    const open = closing((context) => {
      const channel = openCopilot(context);
      if (!channel) throw new Error('It has no channel.');
      return channel;
    });
    return {
      open: () => open(life),
      changes,
      ask: (n, command) => fake.ask(`per_${n}`, command),
      answerThere: (n) => fake.settle(`per_${n}`),
      isQuicker: (decision) => {
        fake.quicker = decision;
      },
      sent: () => fake.sent,
      diesOfAnswer: () => {
        fake.diesOfAnswer = true;
      },
      die: () => fake.stop(),
    };
  },
  opencode: async () => {
    const fake = await FakeOpenCode.open('secret');
    onTestFinished(() => fake.close());
    fake.sessions.set('ses_1', { id: 'ses_1' });
    const { life, changes, runFolder } = liveIn();
    const address = { hostname: '127.0.0.1', port: fake.port, password: 'secret' };
    writeFileSync(join(runFolder, serverFile), JSON.stringify(address));
    const open = closing((context) => openOpenCode(context));
    const words = { allow: 'once', deny: 'reject' };
    return {
      open: () => open(life),
      changes,
      ask: (n, command) => {
        fake.sessions.set(`ses_${n}`, { id: `ses_${n}` });
        fake.ask({
          id: `per_${n}`,
          sessionID: `ses_${n}`,
          permission: 'bash',
          patterns: [command],
          metadata: { command, description: 'it must' },
        });
      },
      answerThere: (n, decision) => void fake.reply(`per_${n}`, words[decision]),
      isQuicker: (decision) => {
        fake.onPost = () => {
          for (const { id } of [...fake.permissions]) fake.reply(String(id), words[decision]);
        };
      },
      sent: () => fake.posts.map(({ body }) => (body['reply'] === 'once' ? 'allow' : 'deny')),
      diesOfAnswer: () => fake.faults.set('POST /permission/*/reply', 'drop'),
      die: () => fake.cut(),
    };
  },
  qwen: async () => {
    const { life, changes, runFolder } = liveIn();
    const [events, input] = [join(runFolder, eventFile), join(runFolder, inputFile)];
    for (const path of [events, input]) writeFileSync(path, '');
    const cli = new FakeQwen(events, input);
    onTestFinished(() => cli.stop());
    const open = closing((context) => openQwen(context));
    return {
      open: () => open(life),
      changes,
      ask: (n, command) => cli.ask(`req_${n}`, command),
      answerThere: (n, decision) => cli.settle(`req_${n}`, decision),
      isQuicker: (decision) => {
        cli.quicker = decision;
      },
      sent: () => cli.sent(),
      diesOfAnswer: () => cli.stop(),
      die: () => cli.stop(),
    };
  },
};

/** Its two files, as Qwen Code 0.24.4 uses them; it reads more often, so that nobody waits. */
class FakeQwen {
  readonly #events: string;
  readonly #input: string;
  readonly #open = new Set<string>();
  readonly #timer = setInterval(() => this.#read(), 20);
  #taken = 0;
  quicker: Decision | undefined;

  constructor(events: string, input: string) {
    this.#events = events;
    this.#input = input;
  }

  ask(id: string, command: string): void {
    this.#open.add(id);
    const input = { command, description: 'it must' };
    const request = { subtype: 'can_use_tool', tool_name: 'run_shell_command', input };
    this.#tell({ type: 'control_request', request_id: id, request });
  }

  settle(id: string, decision: Decision): void {
    if (!this.#open.delete(id)) {
      this.#tell(notAwaiting(id));
      return;
    }
    const response = { allowed: decision === 'allow' };
    const success = { subtype: 'success', request_id: id, response };
    this.#tell({ type: 'control_response', response: success });
  }

  sent(): readonly Decision[] {
    return this.#lines().map(({ allowed }) => (allowed === true ? 'allow' : 'deny'));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #read(): void {
    const lines = this.#lines();
    for (const { request_id, allowed } of lines.slice(this.#taken)) {
      const id = String(request_id);
      if (this.quicker) this.settle(id, this.quicker);
      this.settle(id, allowed === true ? 'allow' : 'deny');
    }
    this.#taken = lines.length;
  }

  #lines(): readonly Json[] {
    const text = existsSync(this.#input) ? readFileSync(this.#input, 'utf8') : '';
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Json);
  }

  #tell(event: object): void {
    appendFileSync(this.#events, `${JSON.stringify(event)}\n`);
  }
}

function notAwaiting(id: string): object {
  const error = 'tool call is no longer awaiting approval';
  const response = { subtype: 'error', request_id: id, error };
  return { type: 'control_response', response };
}

function liveIn() {
  const runFolder = tempHome();
  const context = { ...contextIn(runFolder, '1.0.0'), runFolder };
  let changed = 0;
  const life = {
    current: () => context,
    changed: () => {
      changed++;
    },
  };
  return { life, runFolder, changes: () => changed };
}

function closing(open: (life: LiveContext) => QuestionChannel) {
  return (life: LiveContext): QuestionChannel => {
    const channel = open(life);
    onTestFinished(() => channel.close());
    return channel;
  };
}
