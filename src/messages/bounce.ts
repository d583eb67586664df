import type { DeadReason, Message, MessageDraft } from './message.ts';
import { quoteBody } from './quote-body.ts';

/** Enough of the original to recognise it. */
const excerptBytes = 500;

const why: Readonly<Record<DeadReason | 'expired', string>> = {
  orphan: 'the recorded parent cannot be found',
  parent_removed: 'its recipient was removed',
  child_removed: 'its sender was removed before the turn ended',
  recipient_removed: 'the agent was removed',
  attempts_exhausted: 'every attempt to deliver it failed',
  refused: 'it was refused',
  withdrawn: 'it was taken back',
  expired: 'its time to live passed',
};

/**
 * Tells the sender that a message is given up, and whether it may have been read. Bounces never
 * bounce (rule 34).
 */
export function createBounce(
  dead: Message,
  recipientName: string,
  mayHaveBeenRead = false,
): Omit<MessageDraft, 'from'> {
  const reason = dead.reason ?? 'expired';
  return {
    kind: 'bounce',
    to: dead.from,
    replyTo: [dead.id],
    // Whoever gave a task waits for what ends it: no budget holds that back.
    answersTask: dead.kind === 'task',
    // A child can do nothing about a report that its parent did not take, and its turn would be
    // reported to the same parent, for ever.
    isQuiet: dead.kind === 'completion' && !dead.answersTask,
    ...(dead.reason === undefined ? {} : { reason: dead.reason }),
    body: [
      `Your ${dead.kind} ${dead.id} to ${recipientName} ${mayHaveBeenRead ? 'is given up' : 'was not delivered'}: ${why[reason]} (${reason}).`,
      mayHaveBeenRead
        ? 'It may have been read: an attempt to deliver it had been made, and no record tells what became of it.'
        : 'It was never read.',
      quoteBody(dead.body, excerptBytes),
    ].join('\n'),
  };
}

/**
 * Takes a bounce back: proof came after the message had been given up (rule 36). `how` is what is
 * known of it.
 */
export function createLateProofNotice(
  message: Message,
  recipientName: string,
  how: string,
): Omit<MessageDraft, 'from'> {
  return {
    kind: 'notice',
    to: message.from,
    replyTo: [message.id],
    body: [
      `Your ${message.kind} ${message.id} to ${recipientName} had been given up (${message.reason ?? 'expired'}); it has been ${how} since.`,
      quoteBody(message.body, excerptBytes),
    ].join('\n'),
  };
}
