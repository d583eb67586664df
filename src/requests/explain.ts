import { isUser } from '../agents/agent.ts';
import type { Explanation } from '../protocol/messages.ts';
import { viewStory } from '../protocol/story.ts';
import { viewWait } from '../protocol/view-wait.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { findMessage } from './parts/find-message.ts';
import { findOpenWait } from './parts/find-open-wait.ts';
import { findMissing } from './parts/route-views.ts';

/** What became of a message, and what an open one waits for. */
export const explain = defineRequest(
  async (context: Context, caller, { id }: { readonly id: string }): Promise<Explanation> => {
    const message = await findMessage(context, caller, id);
    const { story, recipient } = await context.ledger.read(async (tx) => ({
      story: await viewStory(tx, message),
      recipient: await tx.agents.find(message.to),
    }));
    if (!recipient) return isUser(caller.agent) ? story : hideUser(story);
    const isEnd = story.attempts.at(-1)?.unconfirmed === true;
    const wait = findOpenWait(context, message, recipient, isEnd);
    const lacks =
      message.state === 'queued' && context.live ? findMissing(context.live, recipient) : undefined;
    return {
      ...(isUser(caller.agent) ? story : hideUser(story)),
      ...viewWait(wait),
      ...(lacks ? { lacks } : {}),
    };
  },
);

/** The user's account and terminal are the user's own. */
function hideUser({ interruptions, ...story }: Explanation): Explanation {
  if (!interruptions) return story;
  return { ...story, interruptions: interruptions.map(({ who: _, ...one }) => one) };
}
