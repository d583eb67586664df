import { onTestFinished } from 'vitest';
import { type Agent, userAgentId } from '../../../src/agents/agent.ts';
import { createCaller } from '../../../src/agents/caller.ts';
import type { DirectClient } from '../../../src/client/client.ts';
import { createDirectClient } from '../../../src/client/direct/create.ts';
import { openContext } from '../../../src/client/direct/open.ts';
import { findFolders, ledgerPath } from '../../../src/config/folders.ts';
import { accept } from '../../../src/delivery/accept.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { Fault } from '../../../src/shared/fault.ts';
import { openSqliteLedger } from '../../../src/store/sqlite/open.ts';
import { tempHome } from '../../support/home.ts';
import { addRunning } from '../../support/mail.ts';
import { postTool, readCall } from '../../support/mcp.ts';
import { placeLedger } from '../../support/place-ledger.ts';
import { read, TestServer, userTokenOfTests } from '../../support/server.ts';

/** Who asks, in every way there is. A stranger shows what no agent has. */
export const actors = ['user', 'script', 'agent', 'stranger'] as const;
export type Actor = (typeof actors)[number];

/** What came of a request: a document, or the code and the words of a fault. */
export type Answer =
  | { readonly result: unknown }
  | { readonly fault: string; readonly message: string; readonly next: string };

/**
 * One ledger on disk, the HTTP API on it, and commands that open it themselves: the same agents and
 * messages for each way to ask.
 */
export class Stage {
  readonly server: TestServer;
  /** The agent that asks; one beside it; one that it launched; one that pulls. */
  readonly agents: Readonly<Record<'worker' | 'peer' | 'child' | 'puller', Agent>>;
  /** From the user to the worker; from the worker to its peer; from the user to the peer. */
  readonly messages: Readonly<Record<'own' | 'sent' | 'foreign', string>>;
  /** The task that the worker has given its peer. */
  readonly task: string;
  readonly #home: string;

  static async open(): Promise<Stage> {
    const home = tempHome();
    const path = ledgerPath(findFolders({ SIGNALBOX_HOME: home }));
    await placeLedger(path);
    const ledger = await openSqliteLedger(path, { clock: systemClock, lockWaitMs: 10_000 });
    onTestFinished(() => ledger.close());
    const server = new TestServer({ ledger });
    const worker = await addRunning(server, 'worker');
    const peer = await addRunning(server, 'peer');
    const below = await addRunning(server, 'child');
    await ledger.write((tx) => tx.agents.setParent(below.id, worker.id));
    const puller = await server.add('puller');
    const send = async (from: string, to: string, kind: 'message' | 'task' = 'message') => {
      const draft = { kind, from, to, body: `from ${from === userAgentId ? 'user' : 'worker'}` };
      const [accepted] = await accept(ledger, systemClock, [draft]);
      if (accepted?.outcome !== 'accepted') throw new Error(accepted?.outcome);
      return accepted.message.id;
    };
    const messages = {
      own: await send(userAgentId, worker.id),
      sent: await send(worker.id, peer.id),
      foreign: await send(userAgentId, peer.id),
    };
    const task = await send(worker.id, peer.id, 'task');
    const child = { ...below, parent: worker.id };
    return new Stage(server, home, { worker, peer, child, puller }, messages, task);
  }

  private constructor(
    server: TestServer,
    home: string,
    agents: Stage['agents'],
    messages: Stage['messages'],
    task: string,
  ) {
    this.server = server;
    this.#home = home;
    this.agents = agents;
    this.messages = messages;
    this.task = task;
  }

  /** As the command line does it, on the ledger itself. */
  async command(actor: Actor, ask: (client: DirectClient) => Promise<unknown>): Promise<Answer> {
    const named = { agent: this.agents.worker.id, stranger: 'ghost', user: '', script: '' }[actor];
    return answer(async () => {
      const env = { SIGNALBOX_HOME: this.#home, ...(named ? { SIGNALBOX_AGENT: named } : {}) };
      const context = await openContext(env);
      // Whether a person is at a terminal is found out from the test's own process.
      const caller = createCaller(context.caller.agent, actor === 'user');
      const client = createDirectClient({ ...context, caller });
      try {
        return await ask(client);
      } finally {
        await client.close();
      }
    });
  }

  http(actor: Actor, method: string, path: string, body?: unknown): Promise<Answer> {
    return answer(async () => {
      const response = await this.server.ask(path, {
        method,
        headers: { 'content-type': 'application/json', ...this.#headers(actor) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const stream = response.headers.get('content-type') === 'text/event-stream';
      if (stream) await response.body?.cancel();
      const document = stream || response.status === 204 ? {} : await read(response);
      if (response.status < 400) return document;
      const { code, message, next } = document.error;
      throw new Fault(code, message, next);
    });
  }

  tool(actor: Actor, name: string, args: object = {}): Promise<Answer> {
    return answer(async () => {
      const shown = { name: actor === 'agent' ? 'worker' : 'nobody' };
      const response = await postTool(this.server, shown, name, args);
      const text = await response.text();
      if (response.status >= 400) {
        const { code, message, next } = JSON.parse(text).error;
        throw new Fault(code, message, next);
      }
      const { result } = readCall(text);
      if (result?.error === undefined) return result;
      throw new Fault(result.error.code, result.error.message, result.error.next);
    });
  }

  /** Everything that a request may have changed, as one text. */
  async rows(): Promise<string> {
    const all = await this.server.ledger.read(async (tx) => {
      const agents = await tx.agents.list();
      const states = ['queued', 'claimed', 'injected', 'uncertain', 'seen', 'acked'] as const;
      const inboxes = await Promise.all(
        agents.map(({ id }) => tx.messages.list({ to: id, states, limit: 100 })),
      );
      return { agents, inboxes, debts: await tx.debts.listOpen() };
    });
    return JSON.stringify(all);
  }

  #headers(actor: Actor): Readonly<Record<string, string>> {
    switch (actor) {
      case 'user':
        return { 'signalbox-user': userTokenOfTests };
      case 'script':
        return {};
      case 'agent':
        return { authorization: 'Bearer tok_worker' };
      case 'stranger':
        return { authorization: 'Bearer tok_nobody' };
    }
  }
}

async function answer(ask: () => Promise<unknown>): Promise<Answer> {
  try {
    return { result: await ask() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: error.code, message: error.message, next: error.next };
  }
}
