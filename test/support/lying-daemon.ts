import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SignalEvent } from '../../src/events/topics.ts';
import type { AgentView, Removed } from '../../src/protocol/agents.ts';
import {
  type DaemonInfo,
  type HealthView,
  headers,
  protocolVersion,
} from '../../src/protocol/daemon.ts';
import type { Explanation, Looked, MessageView } from '../../src/protocol/messages.ts';
import type { AnswerView, TaskView } from '../../src/protocol/tasks.ts';
import type { OutputView, StopView } from '../../src/protocol/terminals.ts';
import { readStartTime, systemHost } from '../../src/shared/processes.ts';
import type { Hostile } from './hostile.ts';

/** No field may be left out: one that is added to the protocol has to be filled here. */
type Whole<T> = { [K in keyof T]-?: NonNullable<T[K]> };

const at = '2026-01-01T00:00:00.000Z';

/**
 * A daemon in this process, on a socket, that answers the command line with hostile texts in every
 * field of every document.
 */
export async function openLyingDaemon(home: string, hostile: Hostile): Promise<void> {
  const socket = join(home, 'run', 'lying.sock');
  const documents = createDocuments(hostile);
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => answer(request, response, documents, body));
  });
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  // As the real one does: nobody else may reach it.
  chmodSync(socket, 0o600);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const info: Whole<DaemonInfo> = {
    ...{ pid: process.pid, startedAt: readStartTime(process.pid) ?? '', since: at, socket },
    ...{ host: systemHost.identity.host, protocol: protocolVersion, terminalBackend: 'tmux' },
    version: hostile.text('daemon.version'),
  };
  writeFileSync(join(home, 'daemon.json'), JSON.stringify(info), { mode: 0o600 });
}

type Documents = ReturnType<typeof createDocuments>;

function createDocuments(hostile: Hostile) {
  const say = (field: string): string => hostile.text(field);
  /** Where the schema lists the words: a daemon that lies does not keep to them. */
  const lie = (field: string) => say(field) as never;
  const name = (what: string) => ({
    id: `agt_${what}`,
    ...{ name: say(`${what}.name`), session: say(`${what}.session`), namesakes: true as const },
  });
  const agent: Whole<AgentView> = {
    ...{ id: 'agt_worker', epoch: 1, since: at, exitCode: 1, humanTypedAt: at },
    ...{ status: 'waiting', composer: 'draft', namesakes: true },
    ...{ name: say('agent.name'), session: say('agent.session'), provider: say('agent.provider') },
    ...{ backend: say('agent.backend'), detail: say('agent.detail'), source: lie('agent.source') },
    question: say('agent.question'),
    questions: [
      {
        ...{ id: 'qabcdef', asks: 'command', text: say('agent.questions.text'), decisions: [] },
        ...{ isSubAgents: true, isCut: true },
      },
    ],
    answers: [
      {
        ...{ question: say('agent.answers.question'), decision: 'allow', outcome: 'unknown' },
        ...{ by: name('agent.answers.by'), who: say('agent.answers.who'), place: 'tool', at },
      },
    ],
    interruptions: [
      {
        ...{ outcome: 'unknown', way: 'keys', presses: 2, place: 'terminal', at },
        ...{ who: say('agent.interruptions.who'), reason: say('agent.interruptions.reason') },
      },
    ],
    ...{ parent: name('agent.parent'), profile: say('agent.profile'), cwd: say('agent.cwd') },
    worktree: {
      ...{ path: say('agent.worktree.path'), branch: say('agent.worktree.branch') },
      ...{ repository: say('agent.worktree.repository'), base: say('agent.worktree.base') },
    },
    inbox: { queued: 1, claimed: 0, injected: 0, uncertain: 0, dead: 0 },
    held: { until: at, why: say('agent.held.why') },
    owes: [
      {
        ...{ task: 'msg_1', to: name('agent.owes.to'), since: at, reminded: true },
        about: say('agent.owes.about'),
      },
    ],
    ...{ providerVersion: say('agent.providerVersion'), conversation: say('agent.conversation') },
    ...{ exitSignal: say('agent.exitSignal'), routes: [say('agent.routes')] },
    lacks: [{ route: say('agent.lacks.route'), why: say('agent.lacks.why') }],
    ...{ broken: say('agent.broken'), unwoken: say('agent.unwoken') },
    versionWarning: {
      what: say('agent.versionWarning.what'),
      next: say('agent.versionWarning.next'),
    },
    ...{ endedBy: 'task', ending: say('agent.ending'), endingCode: 'coming-back' },
    ...{ waitsFor: say('agent.waitsFor'), waitsForCode: 'draft', notes: [say('agent.notes')] },
  };
  const message: Whole<MessageView> = {
    ...{
      id: 'msg_1',
      kind: 'completion',
      state: 'injected',
      truncated: true,
      urgent: true,
      standing: 'prompt',
    },
    ...{ number: 1, short: say('message.short') },
    ...{ createdAt: at, expiresAt: at, attempts: 1, inContext: true, repeat: true },
    ...{ from: name('message.from'), to: name('message.to'), body: say('message.body') },
    ...{ replyTo: [say('message.replyTo')], owes: [say('message.owes')] },
    ...{ reports: [say('message.reports')], outcome: lie('message.outcome') },
    ...{ reason: lie('message.reason'), turn: say('message.turn'), child: name('message.child') },
  };
  const story: Whole<Pick<Explanation, 'message' | 'history' | 'attempts' | 'waitsFor'>> = {
    message,
    history: [
      {
        ...{ at, from: null, to: 'queued' },
        ...{ cause: say('history.cause'), evidence: say('history.evidence') },
      },
    ],
    attempts: [
      {
        ...{ number: 1, folded: 2, at, epoch: 1, handedOutAt: at, parts: { handed: 1, of: 2 } },
        ...{ route: lie('attempt.route'), outcome: lie('attempt.outcome') },
        ...{ provider: say('attempt.provider'), receipt: say('attempt.receipt') },
      },
    ],
    waitsFor: say('story.waitsFor'),
  };
  const removed: Whole<Removed> = {
    ...{ ...name('removed'), settled: 3, maybeRead: 1, read: 1 },
    troubles: [say('removed.troubles')],
    worktree: {
      ...{ path: say('removed.worktree.path'), branch: say('removed.worktree.branch') },
      ...{ outcome: 'kept', reason: say('removed.worktree.reason') },
    },
  };
  const stopped: Whole<StopView> = {
    ...{ ...name('stopped'), outcome: 'stopped', exitCode: 0, killed: 2 },
    exitSignal: say('stopped.exitSignal'),
  };
  const output: Whole<OutputView> = {
    ...{ agent: name('output.agent'), mode: 'screen', response: 'partial' },
    ...{ text: say('output.text'), earlier: true, searched: [say('output.searched')] },
  };
  const task: Whole<TaskView> = {
    ...{ short: say('task.short') },
    ...{ task: 'msg_1', agent: name('task.agent'), launched: false, duplicate: false },
    ...{
      broughtBack: true,
      also: say('task.also'),
      unwoken: say('task.unwoken'),
      notes: [say('task.notes')],
    },
    versionWarning: {
      what: say('task.versionWarning.what'),
      next: say('task.versionWarning.next'),
    },
  };
  const answers: Record<AnswerView['outcome'], AnswerView> = Object.fromEntries(
    (['answered', 'unanswered', 'exited', 'dead', 'removed', 'pending', 'elsewhere'] as const).map(
      (outcome) => [
        outcome,
        { task: 'msg_1', agent: name('answer.agent'), outcome, message, handOver: 'box_1' },
      ],
    ),
  ) as Record<AnswerView['outcome'], AnswerView>;
  const health: Whole<HealthView> = {
    ...{ ok: false, version: say('health.version'), protocol: protocolVersion },
    terminalBackend: say('health.terminalBackend'),
    components: {
      daemon: { state: 'running', pid: 1, since: at, socket: say('health.socket') },
      ledger: { state: 'failed', path: say('health.path'), detail: say('health.ledger.detail') },
      backend: { state: 'down', version: say('health.backend'), detail: say('health.detail') },
      backends: {
        herdr: {
          ...{ state: 'down', isDefault: false, agents: 1 },
          ...{ version: say('health.backends.version'), detail: say('health.backends.detail') },
        },
      },
      providers: {
        claude: {
          ...{ state: 'found', path: say('provider.path') },
          ...{ version: say('provider.version'), detail: say('provider.detail') },
        },
      },
    },
    agents: { running: 1, troubled: [say('health.troubled')] },
  };
  // Each kind of event: one that is added has to be said here.
  const events: Record<SignalEvent['kind'], Record<string, unknown>> = {
    output: { bytes: 1 },
    status: { status: 'waiting', detail: say('event.status.detail'), name: say('event.name') },
    launched: { name: say('event.launched.name'), epoch: 1 },
    exited: { name: say('event.exited.name'), epoch: 1, cause: say('event.exited.cause') },
    rehomed: { name: say('event.rehomed.name'), epoch: 1 },
    removed: { name: say('event.removed.name'), epoch: 1, nested: { text: say('event.nested') } },
    message: { state: 'queued', from: say('event.message.from'), to: say('event.message.to') },
  };
  const news = Object.entries(events).map(([kind, data]) => ({
    ...{ id: `x-${kind}`, at, data },
    topic: `agent.${say(`event.${kind}.topic`)}.${kind}`,
  }));
  const looked: Whole<Looked> = { broken: say('looked.broken') };
  const error = { code: 'agent-not-found', message: say('fault.message'), next: say('fault.next') };
  const raw = Buffer.from(say('output.bytes')).toString('base64');
  const argv = ['tmux', say('attach.argv')];
  const attach = { agent: name('attach.agent'), argv };
  return {
    ...{ agent, story, removed, stopped, output, task, answers, health, news, looked, error },
    ...{ raw, attach },
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  d: Documents,
  body: string,
): void {
  const { method = '', url = '' } = request;
  const path = url.replace(/\?.*$/, '');
  const send = (document: unknown, status = 200): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      [headers.protocol]: String(protocolVersion),
    });
    response.end(JSON.stringify(document));
  };
  const stream = (documents: readonly unknown[]): void => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      [headers.protocol]: String(protocolVersion),
    });
    for (const one of documents) response.write(`data: ${JSON.stringify(one)}\n\n`);
    // The stream of output ends with its agent; that of events goes on.
    if (path.endsWith('/stream')) response.end();
  };
  // A task says which answer it wants, and its id does from then on.
  const [named, outcome] = /outcome-(\w+)/.exec(path + body) ?? [];
  const routes: [string, RegExp, () => void][] = [
    ['GET', /^\/health$/, () => send(d.health)],
    ['GET', /^\/events\/recent$/, () => send({ events: d.news })],
    ['GET', /^\/events$/, () => stream(d.news)],
    ['GET', /^\/agents$/, () => send({ agents: [d.agent] })],
    ['POST', /^\/agents$/, () => send(d.agent)],
    ['GET', /^\/agents\/[^/]+$/, () => send(d.agent)],
    ['DELETE', /^\/agents\/[^/]+$/, () => send({ removed: [d.removed] })],
    ['POST', /\/stop$/, () => send(d.stopped)],
    ['POST', /\/restart$/, () => send(d.agent)],
    ['POST', /\/attach$/, () => send(d.attach)],
    ['POST', /\/look$/, () => send(d.looked)],
    ['GET', /\/output$/, () => send(d.output)],
    ['GET', /\/stream$/, () => stream([{ bytes: d.raw }, { lost: 7 }])],
    ['POST', /^\/tasks$/, () => send({ ...d.task, ...(named ? { task: named } : {}) })],
    [
      'GET',
      /^\/tasks\/.*\/answer$/,
      () => send(d.answers[(outcome ?? 'answered') as AnswerView['outcome']]),
    ],
    ['POST', /^\/hand-overs\//, () => send({})],
    ['GET', /\/wait$/, () => send({ id: 'msg_1', state: 'queued', reached: true })],
    ['GET', /^\/messages\/[^/]+$/, () => send(d.story)],
  ];
  // An agent of that name is one of which the daemon says that it is not there.
  const isBroken = path.includes('broken');
  const route = routes.find(([verb, pattern]) => verb === method && pattern.test(path));
  if (route && !isBroken) route[2]();
  else send({ error: d.error }, 404);
}
