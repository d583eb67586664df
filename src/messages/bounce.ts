import type { DeadReason, Message, MessageDraft } from './message.ts';
import { truncate } from './truncate.ts';

/** Enough of the original to recognise it. */
const excerptBytes = 500;

const why: Readonly<Record<DeadReason | 'expired', string>> = {
  orphan: 'the recorded parent cannot be found',
  parent_removed: 'its recipient was removed',
  child_removed: 'its sender was removed before the turn ended',
  recipient_removed: 'the agent was removed',
  attempts_exhausted: 'every attempt to deliver it failed',
  refused: 'it was refused',
  expired: 'its time to live passed',
};

/** Tells the sender that a message will not arrive. Bounces never bounce (rule 34). */
export function createBounce(dead: Message, recipientName: string): MessageDraft {
  const reason = dead.reason ?? 'expired';
  return {
    kind: 'bounce',
    from: dead.to,
    to: dead.from,
    replyTo: [dead.id],
    ...(dead.reason === undefined ? {} : { reason: dead.reason }),
    body: [
      `Your ${dead.kind} ${dead.id} to ${recipientName} was not delivered: ${why[reason]} (${reason}).`,
      ...(dead.attempts > 0
        ? ['It may have been read: an attempt to deliver it had been made.']
        : []),
      quote(dead.body),
    ].join('\n'),
  };
}

/** Takes a bounce back: proof came after the message had been given up (rule 36). `how` is what is known of it. */
export function createLateProofNotice(
  message: Message,
  recipientName: string,
  how: string,
): MessageDraft {
  return {
    kind: 'notice',
    from: message.to,
    to: message.from,
    replyTo: [message.id],
    body: [
      `Your ${message.kind} ${message.id} to ${recipientName} had been given up (${message.reason ?? 'expired'}); it has been ${how} since.`,
      quote(message.body),
    ].join('\n'),
  };
}

function quote(body: string): string {
  const { text, truncated } = truncate(body, excerptBytes);
  return `\n${(text + (truncated ? ' …' : '')).replace(/^/gm, '> ')}`;
}
