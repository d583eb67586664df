import type { Permission } from '../../../src/agents/permission.ts';
import type { ShownQuestion } from '../../../src/agents/question.ts';
import type { Decided } from '../../../src/providers/questions.ts';
import { type Ask, everybody, type Row } from './row.ts';
import type { Actor, Stage } from './stage.ts';

const question: ShownQuestion = {
  ...{ id: 'qabcdef', asks: 'command', text: 'tool: Bash\ncommand: make' },
  decisions: ['allow', 'deny'],
};

interface World {
  readonly agent?: string;
  /** The user has named the worker for it. */
  readonly isNamed?: boolean;
  readonly permission?: Permission;
  readonly asks?: ShownQuestion['asks'];
  readonly asked?: string;
  readonly decision?: 'allow' | 'deny';
  readonly decided?: Decided;
}

function set(stage: Stage, world: World): void {
  const { fleet } = stage.server;
  const { asks = 'command', permission = 'ask', decided = { outcome: 'taken' } } = world;
  fleet.asked = { questions: [{ ...question, asks }], isBlind: false, isComing: false };
  fleet.decided = decided;
  fleet.permission = permission;
  const { id } = stage.agents.worker;
  // Who is not named has the full name of one that was, and its own in another session.
  stage.server.supervisors = world.isNamed
    ? new Map([['default/worker', id]])
    : new Map([
        ['default/worker', 'agt_before'],
        ['shop/worker', id],
      ]);
}

function inWorld(world: World, ask: Ask): Ask {
  return (stage: Stage, actor: Actor) => {
    set(stage, world);
    return ask(stage, actor);
  };
}

function answer(wish: string, world: World, expected: Row['expected']): Row {
  const { agent = 'child', asked: id = question.id, decision = 'deny' } = world;
  return {
    verb: 'answer',
    wish,
    http: inWorld(world, (stage, actor) =>
      stage.http(actor, 'POST', `/agents/${agent}/questions/${id}`, { decision }),
    ),
    tool: inWorld(world, (stage, actor) =>
      stage.tool(actor, 'answer_question', { agent, question: id, decision }),
    ),
    expected,
    read: ({ question: name, decision: made, outcome }) => [name, made, outcome],
  };
}

const userAlone = { user: 'done', script: 'not-allowed', agent: 'not-allowed' } as const;
const named = { user: 'done', script: 'not-allowed', agent: 'done' } as const;
const gone = { user: 'question-gone', script: 'not-allowed', agent: 'question-gone' } as const;

/** Rule 54: who may decide what an agent asks. */
export const ofQuestions: readonly Row[] = [
  answer('of an agent below the caller', {}, userAlone),
  answer('by a supervisor that the user has named', { isNamed: true }, named),
  answer('by one, of an agent that is not below it', { isNamed: true, agent: 'peer' }, userAlone),
  answer('by one, to itself', { isNamed: true, agent: 'worker' }, userAlone),
  answer('by one, allowing more than it may', { isNamed: true, decision: 'allow' }, userAlone),
  answer(
    'by one, allowing an edit with the permission to edit',
    { isNamed: true, decision: 'allow', asks: 'edit', permission: 'edit' },
    userAlone,
  ),
  answer(
    'by one, allowing a command with the permission to edit',
    { isNamed: true, decision: 'allow', permission: 'edit' },
    userAlone,
  ),
  answer(
    'by one, allowing a command, which it may',
    { isNamed: true, decision: 'allow', permission: 'all' },
    named,
  ),
  answer('that is not asked', { isNamed: true, asked: 'qzzzzzz' }, gone),
  answer(
    'that was answered elsewhere meanwhile',
    { isNamed: true, decided: { outcome: 'gone' } },
    gone,
  ),
  answer(
    'that did not get there',
    { isNamed: true, decided: { outcome: 'refused', reason: 'no hook' } },
    { user: 'undeliverable', script: 'not-allowed', agent: 'undeliverable' },
  ),
  answer(
    'of which nothing tells what became of it',
    { isNamed: true, decided: { outcome: 'unknown', reason: 'silence' } },
    named,
  ),
  ...[false, true].map(
    (isNamed): Row => ({
      verb: 'show-questions',
      wish: isNamed ? 'by a supervisor that the user has named' : 'of an agent below the caller',
      http: inWorld({ isNamed }, (stage, actor) =>
        stage.http(actor, 'GET', '/agents/child/questions'),
      ),
      tool: inWorld({ isNamed }, (stage, actor) =>
        stage.tool(actor, 'answer_question', { agent: 'child' }),
      ),
      expected: { ...everybody, agent: isNamed ? 'done' : 'not-allowed' },
      read: ({ questions }) => questions,
    }),
  ),
];
