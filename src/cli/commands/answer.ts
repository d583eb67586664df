import type { Command } from 'commander';
import { userAgentId } from '../../agents/agent.ts';
import { callName } from '../../agents/reference.ts';
import type { Client } from '../../client/client.ts';
import type { AgentQuestions, DecidedView, DecisionRequest } from '../../protocol/questions.ts';
import { Fault } from '../../shared/fault.ts';
import { quote } from '../../shared/quote.ts';
import { shellWord } from '../../shared/shell-word.ts';
import { askDecision } from '../ask-decision.ts';
import { describeAsked, describeDecided } from '../describe-asked.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { withClient } from '../run.ts';
import { attachTo } from './attach.ts';
import { example, jsonOption } from './options.ts';

type Question = AgentQuestions['questions'][number];
type Decision = DecisionRequest['decision'];

interface AnswerOptions {
  readonly json?: true;
}

/** Shows exactly one question, whole, and carries exactly one decision about it. */
export function addAnswerCommand(program: Command): void {
  const command = program
    .command('answer <agent> [question] [allow|deny]')
    .description('show what an agent asks you, and allow it once or deny it');
  jsonOption(command);
  example(
    command,
    'signalbox answer lead                  # shows it, and asks you',
    'signalbox answer lead qfkxmbw allow    # exactly the one that was shown',
    'signalbox answer lead --json           # what it asks, for a script',
  );
  command.action(
    (agent: string, question?: string, decision?: string, options: AnswerOptions = {}) => {
      const wanted = readDecision(agent, question, decision);
      return withClient(async (client) => {
        if (question !== undefined && wanted) {
          return decide(client, { agent, question, decision: wanted }, options);
        }
        return show(client, agent, question, options);
      });
    },
  );
}

function readDecision(agent: string, question?: string, decision?: string): Decision | undefined {
  // Without the name it would be about whatever is asked by then.
  if (question === 'allow' || question === 'deny') {
    throw new Fault(
      'usage',
      `\`${question}\` names no question.`,
      `Run \`signalbox answer ${shellWord(agent)}\`, which shows the question with its name.`,
    );
  }
  if (decision === undefined || decision === 'allow' || decision === 'deny') return decision;
  throw new Fault('usage', `${quote(decision)} is no decision.`, 'Give allow or deny.');
}

async function decide(
  client: Client,
  { agent, question, decision }: { agent: string; question: string; decision: Decision },
  { json }: AnswerOptions,
): Promise<void> {
  const { requireConsent, describeConsent } = await import('../../client/direct/consent.ts');
  // Of an agent the daemon knows whether the user has named it for this.
  const isOwn = client.caller.id === userAgentId;
  if (isOwn) await requireConsent(process.env, 'answer what an agent asks');
  const who = isOwn ? { who: describeConsent().slice(0, 200) } : {};
  const decided = await client.answer(agent, question, { decision, ...who });
  if (json) writeJson<DecidedView>(decided);
  else writeOut(`${inLine(describeDecided(decided))}\n`);
  // Nobody knows what became of it.
  if (decided.outcome === 'unknown') process.exitCode = 1;
}

async function show(
  client: Client,
  agent: string,
  wanted: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const asked = await client.questions(agent);
  const name = callName(asked.agent);
  if (options.json) writeJson<AgentQuestions>(asked);
  const found =
    wanted === undefined ? asked.questions[0] : asked.questions.find(({ id }) => id === wanted);
  if (!found) return explainNone(client, asked, wanted, options);
  const { mayConsent } = await import('../../client/direct/consent.ts');
  const isOwn = client.caller.id === userAgentId;
  if (options.json || !isOwn || !process.stdout.isTTY || !(await mayConsent(process.env))) {
    if (!options.json) writeOut(describeAsked(name, found));
    throw undecided(name, found);
  }
  const decision = await askDecision(name, found);
  if (!decision) {
    writeError('signalbox: nothing was answered; the question stays');
    return;
  }
  await decide(client, { agent: asked.agent.id, question: found.id, decision }, options);
  const more = asked.questions.length - 1;
  if (more > 0) writeError(`signalbox: ${name} asks more: signalbox answer ${name}`);
}

async function explainNone(
  client: Client,
  { agent, status, question, questions, isBlind }: AgentQuestions,
  wanted: string | undefined,
  { json }: AnswerOptions,
): Promise<void> {
  const name = callName(agent);
  if (wanted !== undefined || (status !== 'waiting' && !isBlind)) {
    const [next] = questions;
    throw new Fault(
      'question-gone',
      wanted === undefined
        ? `"${name}" asks nothing now; it is ${status}.`
        : `"${name}" does not ask ${quote(wanted)}; it was answered, or it has changed.`,
      next
        ? `It asks ${questions.map(({ id }) => id).join(', ')}: look with \`signalbox answer ${name}\`.`
        : `See \`signalbox status ${name}\` for what it does now.`,
    );
  }
  const what = question === undefined ? '' : `: ${question}`;
  const why = `"${name}" asks what only its terminal can answer${what}`;
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Fault(
      'wrong-state',
      /[.?!]$/.test(why) ? why : `${why}.`,
      `Go there with \`signalbox attach ${name}\`.`,
    );
  }
  writeError(`signalbox: ${inLine(why)}`);
  await attachTo(client, agent.id);
}

function undecided(name: string, { id, decisions }: Question): Fault {
  const [first = 'allow'] = decisions;
  return new Fault(
    'usage',
    `"${name}" waits for your answer to ${id}.`,
    `Run \`signalbox answer ${name} ${id} ${first}\`${decisions.includes('deny') ? ', or with `deny`,' : ''} in a terminal of your own.`,
  );
}
