import { userAgentId } from '../../../src/agents/agent.ts';
import { accept } from '../../../src/delivery/accept.ts';
import { Bus } from '../../../src/events/bus.ts';
import type { Message, MessageDraft } from '../../../src/messages/message.ts';
import { Fault } from '../../../src/shared/fault.ts';
import { assign } from '../../../src/team/assign.ts';
import type { TeamParts } from '../../../src/team/parts.ts';
import type { FakeAgent } from '../agent.ts';
import { Life } from '../scheduler.ts';
import type { Entry } from '../truth.ts';
import type { Question, TeamWorld } from './world.ts';

/** What a model does with a task, beside ending its turn with words. */
type Duty = 'words' | 'reply' | 'ask' | 'give-on';

const duties: readonly Duty[] = ['words', 'words', 'words', 'words', 'reply', 'ask', 'give-on'];

/** The model has read this, and acts upon it with its tools. */
export async function doDuties(
  world: TeamWorld,
  agent: FakeAgent,
  read: readonly Entry[],
): Promise<void> {
  for (const { copies } of read) {
    for (const { id, isPointer } of copies) {
      if (isPointer) continue;
      const message = await world.inner.read((tx) => tx.messages.find(id));
      if (message?.kind === 'task' && !world.taken.has(id)) await takeUp(world, agent, message);
      if (message && world.questions.has(id)) answerLater(world, agent, message);
    }
  }
}

async function takeUp(world: TeamWorld, agent: FakeAgent, task: Message): Promise<void> {
  world.taken.add(task.id);
  const { random } = world;
  const duty = random.pick(duties);
  const { process } = agent;
  const said = { kind: 'message', from: agent.id, to: task.from, replyTo: [task.id] } as const;
  if (duty === 'reply') await send(world, process, { ...said, body: `reply of ${agent.id}` });
  if (duty === 'ask' && task.from !== userAgentId) await ask(world, said, task.id);
  if (duty !== 'give-on') return;
  const below = world.agents.slice(world.agents.indexOf(agent) + 1);
  if (below.length === 0) return;
  world.tally.note(agent.kind.name, 'tasks given on, one level below');
  await giveTask(world, process, agent.id, random.pick(below).id);
}

/** By a tool: what it has begun goes on when its agent dies. */
async function ask(
  world: TeamWorld,
  said: Omit<MessageDraft, 'body'>,
  task: string,
): Promise<void> {
  const sent = await send(world, new Life(), { ...said, body: 'which one?', isQuestion: true });
  if (!sent) return;
  const { id, createdAt: askedAt, from, to } = sent;
  world.tally.note(world.kindOf(from), 'questions');
  world.questions.set(id, { id, askedAt, task, from, to });
}

/**
 * A supervisor that has read a question answers it, soon or never; at times it says something else
 * first.
 */
function answerLater(world: TeamWorld, agent: FakeAgent, { id, from, body }: Message): void {
  const { random, scheduler, questions } = world;
  const question = questions.get(id);
  if (!question || question.heardAt !== undefined) return;
  const said = { kind: 'message', from: agent.id, to: from } as const;
  if (random.chance(0.3)) {
    const replyTo = [question.task];
    scheduler.after(agent.process, random.between(10, 5000), () => {
      world.tally.note(world.kindOf(from), 'words about something else');
      void send(world, agent.process, { ...said, replyTo, body: 'by the way' });
    });
  }
  if (random.chance(0.2)) return;
  const isPlain = random.chance(0.3);
  const answer = async (): Promise<void> => {
    const draft = { ...said, body: `this one (${body})`, ...(isPlain ? {} : { replyTo: [id] }) };
    const sent = await send(world, agent.process, draft);
    if (!sent) return;
    const heard = isPlain ? await findNewest(world, sent) : question;
    if (heard) heard.heardAt ??= sent.createdAt;
    const how = isPlain ? 'questions answered without a reply' : 'questions answered';
    world.tally.note(world.kindOf(from), how);
  };
  scheduler.after(agent.process, random.between(10, 20_000), () => void answer());
}

/** Words that reply to nothing answer what was asked last, of all that is still open. */
async function findNewest(world: TeamWorld, said: Message): Promise<Question | undefined> {
  const { questions, inner } = world;
  const open: Question[] = [];
  for (const question of questions.values()) {
    const debt = await inner.read((tx) => tx.debts.find(question.task));
    const isOpen = (debt?.endedAt ?? Number.POSITIVE_INFINITY) >= said.createdAt;
    const isTheirs = question.from === said.to && question.to === said.from;
    if (isTheirs && isOpen && question.heardAt === undefined) open.push(question);
  }
  return open.at(-1);
}

async function send(
  world: TeamWorld,
  process: Life,
  draft: MessageDraft,
): Promise<Message | undefined> {
  const [sent] = await accept(world.ledger(process), world.clock(process), [draft]);
  world.tell((delivery) => delivery.look(draft.to));
  return sent?.outcome === 'accepted' ? sent.message : undefined;
}

/** By the tool or the command line. Returns the task. */
export async function giveTask(
  world: TeamWorld,
  life: Life,
  from: string,
  to: string,
): Promise<string | undefined> {
  const parts = openTeam(world, life);
  const caller = await world.inner.read((tx) => tx.agents.find(from));
  if (!caller || caller.removedAt !== undefined) return undefined;
  try {
    const by = { kind: 'agent', agent: caller } as const;
    const wanted = { caller: by, to, body: `work for ${from}`, cwd: '/srv/app', callerEnv: {} };
    const { task } = await assign(parts, wanted);
    world.tally.note(world.kindOf(to), 'tasks');
    world.tell((delivery) => delivery.look(to));
    return task;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    world.tally.note(world.kindOf(to), 'tasks refused');
    return undefined;
  }
}

function openTeam(world: TeamWorld, life: Life): TeamParts {
  const clock = world.clock(life);
  const unused = (): never => {
    throw new Error('nothing is launched here');
  };
  return {
    ledger: world.ledger(life),
    surroundings: { clock, host: world.hosts.start() },
    bus: new Bus({ clock, boot: 'boot-1', onError: unused }),
    fleet: { launch: unused },
    findTarget: async (name) => {
      throw new Fault('profile-not-found', `There is no profile "${name}".`, 'Name an agent.');
    },
  };
}
