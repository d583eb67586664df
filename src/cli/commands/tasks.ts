import { resolve } from 'node:path';
import type { Command } from 'commander';
import { callName } from '../../agents/reference.ts';
import type { Client } from '../../client/client.ts';
import { neutralise } from '../../messages/neutralise.ts';
import type { AgentView } from '../../protocol/agents.ts';
import type { HandoffDocument } from '../../protocol/printed.ts';
import type { AnswerView, TaskView } from '../../protocol/tasks.ts';
import { Fault } from '../../shared/fault.ts';
import { formatSpan } from '../../shared/units.ts';
import { withTrust } from '../ask-trust.ts';
import { awaitStart, describeStart } from '../await-start.ts';
import { describePart, listNamed, type Names } from '../message-text.ts';
import { inLine, writeError, writeJson, writeOut } from '../output.ts';
import { readBody } from '../read-body.ts';
import { isModelReading, openReading } from '../reader.ts';
import { reportNotes } from '../report-notes.ts';
import { reportUnwoken } from '../report-unwoken.ts';
import { reportVersion } from '../report-version.ts';
import { withClient } from '../run.ts';
import { tellQuestionsDuring } from '../tell-questions.ts';
import { example, jsonOption, parseSpanOption } from './options.ts';

interface TaskOptions {
  readonly file?: string;
  readonly key?: string;
  readonly name?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly worktree?: true;
  readonly model?: string;
  readonly timeout?: number;
  readonly keep?: true;
  readonly wait?: boolean;
  readonly json?: true;
  /** Of the command itself. */
  readonly handoff?: true;
}

/** Without `--timeout`: as long as it takes. */
const noLimitMs = 10 * 365 * 86_400_000;

/** `assign` and `handoff`: the same task; one returns, the other waits for the answer. */
export function addTaskCommands(program: Command): void {
  const assign = program
    .command('assign <to> [task...]')
    .description(
      'give a task to an agent, or to one launched for a profile; the answer comes as a message',
    );
  addOptions(assign);
  assign.option('--no-wait', 'do not wait until an agent that is launched for it has started');
  example(
    assign,
    'signalbox assign reviewer "Review the last commit"',
    'signalbox assign codex "Write the tests" --name tester --worktree',
  );
  assign.action((to: string, words: string[], options: TaskOptions) =>
    give(to, words, options, async (given, { client }) => {
      if (options.json) writeJson<TaskView>(given);
      else {
        const what = inLine(`${nameOf(given)} ${describe(given)}`);
        writeOut(`${what}; the answer comes as a message\n`);
        reportUnwoken(given.unwoken, 'The task');
        reportVersion(given);
      }
      if (!given.launched || !options.wait) return;
      // The document is printed: what follows is for whoever reads along.
      const json = options.json === true;
      const agent = await awaitStart(client, given.agent, { json, more: takenBackBy(given) });
      if (agent && (agent.status === 'waiting' || !options.json)) {
        const name = await client.nameOf(agent.id);
        writeError(`signalbox: ${inLine(describeStart(agent, name))}`);
      }
    }),
  );
  const handoff = program
    .command('handoff <to> [task...]')
    .description(
      'give a task, wait until it is answered, however long that takes, and print the answer',
    )
    .option(
      '--timeout <span>',
      'stop waiting after this time (else never); the answer then comes as a message',
      parseSpanOption,
    );
  handoff.option('--keep', 'let the agent that is launched for it run on after its answer');
  addOptions(handoff);
  example(
    handoff,
    'signalbox handoff reviewer "Is the migration in db/0007.sql safe?"',
    'git diff | signalbox handoff reviewer --file - --key "review-$(git rev-parse HEAD)"',
    'signalbox handoff claude "Summarise the open issues" --timeout 10m --json',
    'signalbox handoff developer "Set up the build" --name builder --keep',
  );
  handoff.action((to: string, words: string[], options: TaskOptions) =>
    give(to, words, { ...options, handoff: true }, (given, { wait }) => wait(given)),
  );
}

function addOptions(command: Command): void {
  command
    .option('--file <file>', 'take the task from a file, or from standard input with -')
    .option('--key <key>', 'idempotency key: the same key gives the task once')
    .option('--name <name>', 'the name of an agent that is launched for it')
    .option('--session <session>', 'the session of an agent that is launched for it')
    .option('--cwd <folder>', 'the working folder of an agent that is launched for it')
    .option('--worktree', 'launch that agent in its own git worktree')
    .option('--model <model>', 'the model of an agent that is launched for it');
  jsonOption(command);
}

interface Means {
  readonly client: Client;
  wait(given: TaskView): Promise<void>;
}

async function give(
  to: string,
  words: string[],
  options: TaskOptions,
  goOn: (given: TaskView, means: Means) => Promise<void>,
): Promise<void> {
  if (words.length > 0 && options.file !== undefined) {
    throw new Fault('usage', 'You gave both a task and --file.', 'Give one of them.');
  }
  const task = await readBody(words, options.file);
  await withClient(async (client) => {
    const { key, name, session, cwd, worktree, model, handoff, keep } = options;
    const wanted = {
      ...{ to, task },
      ...(cwd === undefined ? {} : { cwd: resolve(cwd) }),
      ...(key === undefined ? {} : { key }),
      ...(name === undefined ? {} : { name }),
      ...(session === undefined ? {} : { session }),
      ...(worktree === undefined ? {} : { worktree }),
      ...(model === undefined ? {} : { model }),
      ...(handoff === undefined ? {} : { handoff }),
      ...(keep === undefined ? {} : { keep }),
    };
    // Only the user is asked, for whom that is the folder.
    const review = () => ({ target: to, cwd: resolve(cwd ?? '.'), worktree: worktree === true });
    const given = await withTrust(review, options.json === true, () => client.assign(wanted));
    reportNotes(given.notes);
    await goOn(given, { client, wait: () => awaitAnswer(client, given, options) });
  });
}

async function awaitAnswer(client: Client, given: TaskView, options: TaskOptions): Promise<void> {
  const json = options.json === true;
  if (!json) writeError(`${nameOf(given)} ${describe(given)}; waiting …`);
  // The one document comes with the answer: whoever waits for that is told why it takes so long.
  reportUnwoken(given.unwoken, 'The task');
  if (!json) reportVersion(given);
  const { timeout = noLimitMs } = options;
  const { id: agent } = given.agent;
  const name = callName(given.agent);
  const what = `waiting for the answer to ${nameOf(given)}`;
  const goesOn = (now: AgentView | undefined): string => {
    const does = {
      waiting: `needs your word (\`signalbox attach ${name}\`) and then goes on`,
      starting: 'begins',
    }[now?.status as string];
    return `${name} ${does ?? 'goes on'} with ${nameOf(given)}, and the answer will come as a message. ${takenBackBy(given)}; \`signalbox stop ${name}\` ends all its work.`;
  };
  const work = client.awaitAnswer(given.task, timeout);
  const taken = await tellQuestionsDuring(client, { agent, what, goesOn, json }, work);
  const answer = given.duplicate ? takeAgain(taken) : taken;
  const fault = (await explainStart(client, given, answer)) ?? findFault(answer, given, timeout);
  const named = json || !answer.message ? [] : listNamed(answer.message);
  report(answer, given, { json, fault, names: await client.nameMessages(named) });
  if (answer.handOver !== undefined) await client.confirmHandOver(answer.handOver);
  if (fault) throw fault;
}

/**
 * A task that ended before, asked for again by its key: whoever asks gets the same answer again. A
 * model is told that it had it before, so that it is not taken for another.
 */
function takeAgain(answer: AnswerView): AnswerView {
  const { outcome, ended, message, ...rest } = answer;
  if (outcome !== 'elsewhere' || ended === undefined || !message) return answer;
  return { ...rest, outcome: ended, message: { ...message, repeat: true } };
}

/** One that was launched for it and died: what it said tells more than that it has ended. */
async function explainStart(
  client: Client,
  { launched }: TaskView,
  { agent, outcome }: AnswerView,
): Promise<Fault | undefined> {
  if (!launched || outcome !== 'exited') return undefined;
  try {
    await client.awaitLaunch(agent.id, 0);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code === 'launch-failed' ? error : undefined;
  }
}

function nameOf({ task, short = task }: TaskView): string {
  return short;
}

/** What Ctrl-C does not do. */
function takenBackBy(given: TaskView): string {
  return `\`signalbox cancel ${nameOf(given)}\` takes the task back`;
}

function describe({ agent, launched, duplicate, broughtBack, also }: TaskView): string {
  if (duplicate) return `was given to ${callName(agent)} before`;
  if (launched) return `given to ${callName(agent)}, which was launched for it`;
  if (broughtBack) return `given to ${callName(agent)}, which comes back for it`;
  return `given to ${callName(agent)}${also === undefined ? '' : `, which runs (${also} would launch another)`}`;
}

interface Reporting {
  readonly json: boolean;
  readonly fault: Fault | undefined;
  readonly names: Names;
}

function report(
  answer: AnswerView,
  { unwoken, versionWarning }: TaskView,
  { json, fault, names }: Reporting,
): void {
  if (json) {
    const { handOver: _, ...shown } = answer;
    const error = fault && { code: fault.code, message: fault.message, next: fault.next };
    const waits = answer.outcome === 'pending' && unwoken !== undefined ? { unwoken } : {};
    const warned = versionWarning ? { versionWarning } : {};
    writeJson<HandoffDocument>({ ...shown, ...waits, ...warned, ...(error ? { error } : {}) });
  } else if (answer.message && answer.outcome === 'answered') {
    if (answer.message.repeat && isModelReading()) {
      reportBefore(answer.message, names);
      return;
    }
    // A model may read it: what forges a line of ours is broken as well (rule 47).
    const said = neutralise(answer.message.body);
    writeOut(said.endsWith('\n') ? said : `${said}\n`);
    // Its last words may be no more than "Done.": what it reported came as messages.
    const { reports = [] } = answer.message;
    const them = reports.slice(-5).map(names).join(', ');
    if (reports.length > 0)
      writeError(`signalbox: ${callName(answer.agent)} sent you before: ${them}`);
  }
}

function reportBefore(message: NonNullable<AnswerView['message']>, names: Names): void {
  const { lead, first } = openReading();
  const before = `${lead}answered before, as ${inLine(message.short ?? message.id)}\n`;
  writeOut(`${first}${before}${describePart(message, names, lead)}`);
}

/** Why there is no answer: it always ends with a reason (E12). */
function findFault(answer: AnswerView, given: TaskView, timeoutMs: number): Fault | undefined {
  const { outcome, agent, message } = answer;
  const task = nameOf(given);
  const said = message?.body.split('\n')[0] ?? '';
  switch (outcome) {
    case 'answered':
      return undefined;
    case 'pending':
      return new Fault(
        'timed-out',
        `"${callName(agent)}" has not answered ${task} within ${formatSpan(timeoutMs)}; it goes on.`,
        'The answer will come as a message; see `signalbox inbox list`.',
      );
    case 'elsewhere':
      return new Fault(
        'wrong-state',
        `The answer to ${task} has already come as the message ${message?.short ?? message?.id ?? ''}.`,
        `See \`signalbox inbox show ${message?.short ?? message?.id ?? ''}\`.`,
      );
    case 'unanswered':
      return new Fault(
        'task-failed',
        `"${callName(agent)}" is idle and has not answered ${task}, although signalbox reminded it.`,
        `See \`signalbox output ${callName(agent)}\`.`,
      );
    case 'withdrawn':
      return new Fault(
        'task-failed',
        `${task} was taken back, so "${callName(agent)}" does not answer it.`,
        `See \`signalbox explain ${task}\`.`,
      );
    case 'exited':
    case 'dead':
    case 'removed':
      return new Fault(
        'task-failed',
        `"${callName(agent)}" will not answer ${task}: ${said || 'it has been removed'}`,
        `See \`signalbox explain ${task}\`.`,
      );
  }
}
