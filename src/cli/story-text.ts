import type { Explanation, MessageView } from '../protocol/messages.ts';
import { describeMessage } from './message-text.ts';
import { formatTime, neutralise, paint, type Style } from './output.ts';

/** The story of one message as a person reads it: what happened when, how it is known, and what comes next. */
export function tellStory(story: Explanation): string {
  const { message, history, attempts } = story;
  const lines = [describeMessage(message)];
  for (const { at, from, to, cause, evidence } of history) {
    const state = paint(styles[to] ?? 'cyan', to.padEnd(10));
    // An insert is fsynced before anybody is told about it.
    const durable = from === null ? ' (fsynced)' : '';
    const said = neutralise(spellRoute(cause));
    lines.push(`${formatTime(at, message.createdAt)}  ${state}  ${said}${durable}`);
    if (evidence) lines.push(`${' '.repeat(26)}${paint('dim', neutralise(evidence))}`);
  }
  if (attempts.length > 0) lines.push('');
  attempts.forEach((attempt, i) => {
    lines.push(`attempt ${i + 1}  ${describeAttempt(attempt, message)}`);
  });
  const ending = tellNext(story);
  if (ending.length > 0) lines.push('', ...ending.map((line) => paint('dim', neutralise(line))));
  return `${lines.join('\n')}\n`;
}

const styles: Readonly<Record<string, Style>> = {
  acked: 'green',
  seen: 'green',
  uncertain: 'yellow',
  expired: 'red',
  dead: 'red',
};

function spellRoute(cause: string): string {
  return cause.replace(/^claimed for ([\w-]+), epoch/, 'claimed for the $1 route, epoch');
}

function describeAttempt(attempt: Explanation['attempts'][number], message: MessageView): string {
  const { at, route, epoch, outcome, provider, receipt, pointer, handedOutAt, parts } = attempt;
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
  ];
  const when = formatTime(at, message.createdAt);
  return neutralise(`${when}  ${into}, epoch ${epoch}: ${facts.join('; ')}`);
}

/** What has to happen next, for the states in which something has. */
function tellNext({ message, history, attempts, waitsFor, lacks }: Explanation): string[] {
  const { state, to } = message;
  switch (state) {
    case 'queued':
      return [
        waitsFor === undefined
          ? `It waits for ${to.name} to drain its inbox.`
          : `It waits: ${waitsFor}.`,
        ...(lacks ?? []).map(({ route, why }) => `The ${route} route is missing: ${why}.`),
      ];
    case 'claimed':
      return ['Somebody is taking it right now; a dead taker leaves it uncertain.'];
    case 'injected':
      return [tellInjected(attempts.at(-1), history.at(-1)), ...tellPlace(waitsFor)];
    case 'uncertain':
      return [
        ...tellPlace(waitsFor),
        'Nobody knows whether it was read. Evidence decides; the next drain hands it out again, marked.',
      ];
    case 'dead':
    case 'expired':
      return [tellDead(message, history.at(-1)?.evidence)];
    default:
      return [];
  }
}

function tellPlace(place: string | undefined): string[] {
  return place === undefined ? [] : [neutralise(`Now: ${place}.`)];
}

function tellInjected(
  last: Explanation['attempts'][number] | undefined,
  row: Explanation['history'][number] | undefined,
): string {
  if (last?.unconfirmed) {
    const why = row?.cause === 'sent, unconfirmed' ? row.evidence : undefined;
    if (why !== undefined) return neutralise(`Sent, unconfirmed: ${why}; this is the end of it.`);
    return `Sent, unconfirmed: the ${last.route} route can give no proof, so this is the end of it.`;
  }
  if (last?.handedOutAt !== undefined) {
    return 'Its body was printed in its terminal; its next call, ack or turn end answers for it.';
  }
  return 'It was handed out; nothing yet proves that it was read.';
}

function tellDead(message: MessageView, evidence: string | undefined): string {
  const told = evidence ? 'Its sender was told.' : 'Nobody was there to be told.';
  const isGone = ['recipient_removed', 'parent_removed', 'orphan'].includes(message.reason ?? '');
  return isGone
    ? told
    : `${told} \`signalbox dead-letters retry\` puts it back, if ${message.to.name} still lives.`;
}
