import { callName } from '../agents/reference.ts';
import type { Explanation, MessageView } from './messages.ts';

/** What has to happen next, for the states in which something has. */
export function tellNext(story: Explanation): string[] {
  return [...tellState(story), ...tellReleased(story)];
}

function tellState({ message, history, attempts, waitsFor, lacks }: Explanation): string[] {
  const { state, to } = message;
  switch (state) {
    case 'queued':
      return [
        waitsFor === undefined
          ? `It waits for ${callName(to)} to drain its inbox.`
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
      return [tellDead(message, history.at(-1))];
    default:
      return [];
  }
}

/** Of a task that its worker had, or may have had, when it was taken back (rule 30). */
function tellReleased({ message, debt }: Explanation): string[] {
  if (debt?.end !== 'withdrawn') return [];
  const worker = callName(message.to);
  const told = debt.told === undefined ? [] : [`${debt.told} tells ${worker} so`];
  if (message.state === 'dead') return told.map((says) => `It may have been read: ${says}.`);
  const giver = callName(message.from);
  const asked = debt.endedBy === undefined ? [] : [`${debt.endedBy} tells ${giver}`];
  const who = [...told, ...asked].join(', ');
  return [
    `It was taken back when ${worker} had it already, and its answer is owed no longer${who === '' ? '' : `: ${who}`}.`,
    `A turn that works on it goes on until \`signalbox interrupt ${worker}\` ends it.`,
  ];
}

function tellPlace(place: string | undefined): string[] {
  return place === undefined ? [] : [`Now: ${place}.`];
}

function tellInjected(
  last: Explanation['attempts'][number] | undefined,
  row: Explanation['history'][number] | undefined,
): string {
  if (last?.unconfirmed) {
    const why = row?.code === 'unconfirmed' ? row.evidence : undefined;
    if (why !== undefined) return `Sent, unconfirmed: ${why}; this is the end of it.`;
    return `Sent, unconfirmed: the ${last.route} route can give no proof, so this is the end of it.`;
  }
  if (last?.handedOutAt !== undefined) {
    return 'Its body was printed in its terminal; its next call, ack or turn end answers for it.';
  }
  return 'It was handed out; nothing yet proves that it was read.';
}

function tellDead(message: MessageView, last: Explanation['history'][number] | undefined): string {
  if (message.reason === 'withdrawn') return tellWithdrawn(message, last);
  const evidence = last?.evidence;
  const told = evidence ? 'Its sender was told.' : 'Nobody was there to be told.';
  const isGone = ['recipient_removed', 'parent_removed', 'orphan'].includes(message.reason ?? '');
  return isGone
    ? told
    : `${told} \`signalbox dead-letters retry\` puts it back, if ${callName(message.to)} still lives.`;
}

function tellWithdrawn(
  { attempts }: MessageView,
  last: Explanation['history'][number] | undefined,
): string {
  if (last?.code !== 'cancelled') {
    return 'A person took it back at the terminal, so signalbox does not send it again.';
  }
  return attempts === 0
    ? 'It was taken back before anybody had it, so nobody reads it.'
    : 'It was taken back, so signalbox does not send it again.';
}
