import type { MessageView } from '../../../src/protocol/messages.ts';
import { type Block, readBlocks } from '../../support/read-blocks.ts';
import { must } from '../life/check.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { readEntries } from './conversation-of.ts';
import { type Team, worker } from './team.ts';

/** What a model was taught to say, and the words that make it say so. */
interface Taught {
  readonly work: string;
  readonly word: string;
}

/**
 * A task of a case, and the word that nobody but its worker's model was taught to say, for this
 * task alone.
 */
export interface Asked extends Taught {
  /** Who gave it. */
  readonly giver: string;
  /** The words by which the giver's conversation is known. */
  readonly said: string;
}

/** One copy of a message of ours in a conversation, as the model read it. */
export type Copy = Block;

/**
 * What must be so of every task, by what the models got and by what the ledger says: one message
 * answers it, for its giver alone; it holds the word of that task; it holds the word of another
 * only if one prompt held both; the giver's model got it once, or again with a mark; and nothing is
 * owed any more.
 */
export async function areAnswered(
  team: Team,
  tasks: readonly Asked[],
  others: readonly Taught[] = [],
): Promise<void> {
  must(tasks.length > 0, 'there was no task to account for');
  const all = [...tasks, ...others];
  const held = (await team.inbox(worker)).filter(({ kind }) => kind === 'task');
  const debts = (await team.find(worker))?.owes ?? [];
  for (const asked of tasks) {
    const task = held.find(({ body }) => body.includes(asked.work));
    if (!task) throw new Error(`the ledger has no task with ${asked.work}`);
    must(task.state === 'acked', `the task for ${asked.word} is ${task.state}`);
    must(!debts.some((debt) => debt.task === task.id), `${task.id} is still owed`);
    const answers = (await team.inbox(asked.giver)).filter((one) => isAnswerTo(one, task.id));
    const bodies = answers.map(({ body }) => JSON.stringify(body.slice(0, 80))).join(', ');
    must(answers.length === 1, `${answers.length} messages answer ${task.id}: ${bodies}`);
    isOf(team, all, asked, answers[0]?.body ?? '');
    isReadOnce(team, all, asked, task.short ?? task.id);
  }
}

/** Of all blocks in the giver's conversation; whatever says that it answers the task must do so. */
function isReadOnce(team: Team, all: readonly Taught[], asked: Asked, task: string): void {
  const request = team.latest(asked.said);
  if (!request) throw new Error(`the conversation of ${asked.giver} is gone`);
  const copies = copiesIn(request).filter(({ header }) => answersIn(header).includes(task));
  for (const { body } of copies) isOf(team, all, asked, body);
  const told = [...copies, ...plainResults(request, asked.word)];
  const unmarked = told.filter(({ header }) => !isMarked(header)).length;
  must(told.length > 0, `the model of ${asked.giver} got no answer to ${task}`);
  must(unmarked === 1, `${unmarked} copies of the answer to ${task} without a mark`);
}

/** Results of calls that a CLI shows as the document alone, without the text beside it. */
function plainResults(request: LoggedRequest, word: string): readonly Copy[] {
  return readEntries(request).flatMap((entry) => {
    if (entry.kind !== 'result' || !entry.text.includes(word)) return [];
    return readBlocks(entry.text).length > 0 ? [] : [{ id: '', header: '', body: entry.text }];
  });
}

function isOf(team: Team, all: readonly Taught[], task: Asked, body: string): void {
  const text = JSON.stringify(body.slice(0, 120));
  must(body.includes(task.word), `the answer for ${task.word} does not hold it: ${text}`);
  for (const other of all) {
    if (other.word === task.word || !body.includes(other.word)) continue;
    const isOnePrompt = team.life.mock.requests.some((request) => {
      const text = unansweredIn(request);
      return text.includes(task.work) && text.includes(other.work);
    });
    must(isOnePrompt, `the answer for ${task.word} holds that of another turn: ${text}`);
  }
}

/** All that was said to a model since its last words or call: one answer is for all of it. */
function unansweredIn(request: LoggedRequest): string {
  if (request.isSide) return '';
  const entries = readEntries(request);
  const last = entries.findLastIndex(({ kind }) => kind !== 'user');
  return entries
    .slice(last + 1)
    .flatMap((entry) => (entry.kind === 'user' ? entry.text : []))
    .join('\n');
}

function isAnswerTo(
  { kind, outcome, replyTo = [], owes = [] }: MessageView,
  task: string,
): boolean {
  const isWord = kind === 'message' || (kind === 'completion' && outcome === 'completed');
  return isWord && replyTo.includes(task) && !owes.includes(task);
}

export function copiesIn(request: LoggedRequest): readonly Copy[] {
  return readEntries(request).flatMap((entry) =>
    entry.kind === 'user' || entry.kind === 'result' ? readBlocks(entry.text) : [],
  );
}

export function answersIn(header: string): readonly string[] {
  const [, ids = ''] = / · answers ([\w.:, -]+)/.exec(header) ?? [];
  // Before a further remark stands a space.
  return ids.trimEnd().split(', ');
}

export function isMarked(header: string): boolean {
  return header.includes('MAY BE A REPEAT');
}
