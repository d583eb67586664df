import { userAgentId } from '../agents/agent.ts';
import { sayRestarts } from '../messages/say-restarts.ts';
import type { InterruptionView } from '../protocol/interrupt.ts';
import type { Explanation, MessageView } from '../protocol/messages.ts';
import { tellNext } from '../protocol/next-step.ts';
import { describeInterruption } from './describe-interruption.ts';
import { columnsOf, hang } from './fold.ts';
import { describeMessage, type Names } from './message-text.ts';
import { formatTime, inLine } from './output.ts';
import { paint, type Style } from './screen-codes.ts';

/**
 * The story of one message as a person reads it: what happened when, how it is known, and what
 * comes next.
 */
export function tellStory(story: Explanation, names: Names): string {
  const { message, history, attempts } = story;
  const columns = columnsOf(1);
  const call = (text: string): string => inLine(text.replaceAll(ids, names));
  const lines = [
    describeMessage(message, names),
    `id ${inLine(message.id)}`,
    describeStanding(message),
  ];
  const rows = [...history, ...(story.interruptions ?? []).map(asRow)];
  for (const { at, from, to, cause, evidence } of rows.toSorted(byTime)) {
    const state = paint(styles[to] ?? 'cyan', to.padEnd(10));
    // An insert is fsynced before anybody is told about it.
    const durable = from === null ? ' (fsynced)' : '';
    const when = formatTime(at, message.createdAt);
    const margin = when.length + 14;
    const said = hang(`${call(cause)}${durable}`, columns, margin);
    lines.push(`${when}  ${state}  ${said}`);
    const proof = evidence && hang(call(evidence), columns, margin);
    if (proof) lines.push(`${' '.repeat(margin)}${paint('dim', proof)}`);
  }
  if (attempts.length > 0) lines.push('');
  for (const attempt of attempts) {
    const told = `attempt ${attempt.number}  ${describeAttempt(attempt, message)}`;
    lines.push(hang(told, columns, 2));
  }
  const ending = tellNext(story);
  if (ending.length > 0)
    lines.push('', ...ending.map((line) => paint('dim', hang(call(line), columns, 2))));
  return `${lines.join('\n')}\n`;
}

/** Among its moves: what the user did to the turn that may have held it. */
function asRow(interruption: InterruptionView) {
  const cause = describeInterruption(interruption);
  return { at: interruption.at, from: undefined, to: 'interrupt', cause, evidence: undefined };
}

/** Moves of one moment stay in their order. */
function byTime(a: { readonly at: string }, b: { readonly at: string }): number {
  return Date.parse(a.at) - Date.parse(b.at);
}

/** The messages that the story names, beside those above its body. */
export function listTold({ history, waitsFor = '', debt }: Explanation): readonly string[] {
  const { endedBy = '', told = '' } = debt ?? {};
  const texts = [
    waitsFor,
    endedBy,
    told,
    ...history.flatMap(({ cause, evidence = '' }) => [cause, evidence]),
  ];
  return texts.flatMap((text) => text.match(ids) ?? []);
}

const ids = /\bmsg_[0-9a-z]{26}\b/g;

/** Rule 51e. A message that nobody has carried yet may still change it. */
function describeStanding({ standing, attempts, from }: MessageView): string {
  const verb = attempts === 0 ? 'is to arrive' : 'went';
  const whose = from.id === userAgentId ? 'the user’s own prompt' : 'a prompt that names its giver';
  return `it ${verb} as ${standing === 'prompt' ? whose : 'a notice'}`;
}

const styles: Readonly<Record<string, Style>> = {
  acked: 'green',
  seen: 'green',
  uncertain: 'yellow',
  expired: 'red',
  dead: 'red',
};

function describeAttempt(attempt: Explanation['attempts'][number], message: MessageView): string {
  const { at, route, epoch, outcome, provider, receipt, pointer, handedOutAt, parts } = attempt;
  const { folded } = attempt;
  const into = provider === undefined ? route : `${route} into ${provider}`;
  const facts = [
    attempt.unconfirmed ? 'sent, unconfirmed' : outcome,
    ...(receipt === undefined ? [] : [`${provider ?? 'the CLI'} calls it ${receipt}`]),
    ...(pointer ? [handedOutAt === undefined ? 'named, its body not read yet' : 'named'] : []),
    ...(parts && handedOutAt === undefined
      ? [`${parts.handed} of its ${parts.of} parts handed out`]
      : []),
    ...(handedOutAt === undefined
      ? []
      : [`its body was handed out ${formatTime(handedOutAt, message.createdAt)}`]),
    ...(folded === undefined ? [] : [`${folded} tries before it were cut off like it`]),
  ];
  const when = formatTime(at, message.createdAt);
  return inLine(`${when}  ${into}${sayRestarts(epoch)}: ${facts.join('; ')}`);
}
