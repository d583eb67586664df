import type { HookPayload } from '../provider.ts';
import type { HookOffer, HookReply } from '../way-in.ts';

/**
 * What a hook of Claude Code lets us say to its model (2.1.325):
 *
 * - Stop: context, with which the turn goes on. A block would do that, too, but gives the model its
 *   reason twice, and the screen calls it an error. `stop_hook_active` is also true after a wake of
 *   ours.
 * - PostToolUse: context beside the tool's result, in the running turn.
 * - the hook that waits: what it writes to stderr before it ends with 2 becomes a turn of its own,
 *   or joins the running one.
 *
 * A sub-agent's hooks would reach the sub-agent alone (rule 38).
 */
export function readOffer({ event, body }: HookPayload): HookOffer | undefined {
  if (body['agent_id'] !== undefined) return undefined;
  switch (event) {
    case 'Stop':
      return {
        route: 'turn-boundary',
        isContinued: body['stop_hook_active'] !== false,
        // The screen shows all of it, as the hook's feedback.
        reply: (text) => addContext(event, text),
      };
    case 'PostToolUse':
      return {
        route: 'mid-turn',
        isContinued: false,
        reply: (text, shown) => addContext(event, text, shown),
      };
    case 'wait':
      return {
        route: 'native',
        isContinued: false,
        // Fires in every Claude Code of this home, in those that have one as well.
        ...(body['hook_event_name'] === 'ConfigChange' ? { isSpare: true } : {}),
        reply: (text) => ({ stderr: text, exitCode: 2 }),
      };
    default:
      return undefined;
  }
}

/**
 * A wake of ours stands on the screen as one summary that is the same for all, and fires
 * UserPromptSubmit. What that hook calls its system message is shown below the summary, as
 * `UserPromptSubmit says: …`, and is in no request (2.1.325; so it is of Stop and PostToolUse).
 */
export function readCaption({
  event,
  body,
}: HookPayload): ((line: string) => HookReply) | undefined {
  if (event !== 'UserPromptSubmit' || body['agent_id'] !== undefined) return undefined;
  return (line) => print({ systemMessage: line });
}

function addContext(event: string, text: string, shown?: string): HookReply {
  const context = { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
  return print(shown === undefined ? context : { systemMessage: shown, ...context });
}

function print(reply: object): HookReply {
  return { stdout: `${JSON.stringify(reply)}\n`, exitCode: 0 };
}
