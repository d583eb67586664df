import { userAgentId } from '../agents/agent.ts';
import type { Explanation, MessageView } from '../protocol/messages.ts';
import { tellNext } from '../protocol/next-step.ts';
import { describeMessage } from './message-text.ts';
import { formatTime, inLine } from './output.ts';
import { paint, type Style } from './screen-codes.ts';

/**
 * The story of one message as a person reads it: what happened when, how it is known, and what
 * comes next.
 */
export function tellStory(story: Explanation): string {
  const { message, history, attempts } = story;
  const lines = [describeMessage(message), `id ${inLine(message.id)}`, describeStanding(message)];
  for (const { at, from, to, cause, evidence } of history) {
    const state = paint(styles[to] ?? 'cyan', to.padEnd(10));
    // An insert is fsynced before anybody is told about it.
    const durable = from === null ? ' (fsynced)' : '';
    const said = inLine(cause);
    lines.push(`${formatTime(at, message.createdAt)}  ${state}  ${said}${durable}`);
    if (evidence) lines.push(`${' '.repeat(26)}${paint('dim', inLine(evidence))}`);
  }
  if (attempts.length > 0) lines.push('');
  for (const attempt of attempts) {
    lines.push(`attempt ${attempt.number}  ${describeAttempt(attempt, message)}`);
  }
  const ending = tellNext(story);
  if (ending.length > 0) lines.push('', ...ending.map((line) => paint('dim', inLine(line))));
  return `${lines.join('\n')}\n`;
}

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
  return inLine(`${when}  ${into}, epoch ${epoch}: ${facts.join('; ')}`);
}
