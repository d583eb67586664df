import type { AgentStatus } from '../agents/agent.ts';
import { describeWait } from '../messages/describe-wait.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import { isPen, type Recipient, type Ways } from './recipient.ts';

/** Why no message begins a turn of an agent at rest, and what that means in words for a person. */
export interface Unwoken {
  readonly why: WaitReason;
  readonly until: string;
  /** What helps, as advice on the agent that `name` calls. */
  readonly help: (name: string) => string;
  /** What comes while it works goes in when that turn ends. */
  readonly isHeardAtTurnEnd: boolean;
}

interface Into {
  readonly ways: Pick<Ways, 'routes' | 'pastes' | 'lacksNative'>;
  /** Its terminal's, or why nothing can be typed there; undefined: something can. */
  readonly pen: Recipient['pen'] | undefined;
}

/**
 * Whether a message wakes this agent at rest: by its provider's native route, else by a paste,
 * which its backend must allow. Undefined where one does. By data alone, so that it is known before
 * the agent has a status. A native route that is just missing is another matter: it is put up again
 * (rule 53).
 */
export function explainUnwoken({ ways, pen }: Into): Unwoken | undefined {
  if (ways.routes.includes('native')) return undefined;
  const hasPaste = ways.routes.includes('paste');
  const obstacle = pen && !isPen(pen) ? pen : undefined;
  if (hasPaste && obstacle === undefined) return undefined;
  const isHeardAtTurnEnd = ways.routes.includes('turn-boundary');
  const why = (hasPaste ? obstacle : ways.lacksNative) ?? pullOnly;
  return {
    why,
    until: isHeardAtTurnEnd
      ? 'Messages wait until a turn that a person begins in its terminal ends'
      : 'Messages wait until it takes them itself, with `signalbox inbox drain`',
    help: (name) => (hasPaste ? adviseOnPaste(ways) : adviseOnLack(why, name)),
    isHeardAtTurnEnd,
  };
}

const pullOnly: WaitReason = { code: 'pull-only' };

function adviseOnPaste({ pastes }: Pick<Ways, 'pastes'>): string {
  return pastes === 'message'
    ? 'To have it woken, remove it and launch it with --terminal tmux'
    : 'With --terminal tmux one pasted line tells it to take them, where config.yaml describes its composer';
}

/** Another terminal would not help: this life of its CLI has no way in at all. */
function adviseOnLack({ code }: WaitReason, name: string): string {
  switch (code) {
    case 'version-too-old':
      return `Once that is installed, \`signalbox restart ${name}\` starts it in the new version`;
    case 'version-unread':
      return `See that its program answers \`--version\`; then run \`signalbox restart ${name}\``;
    case 'arguments-in-the-way':
      return 'To have it woken, remove it and launch it without them';
    default:
      return '`signalbox doctor --all` shows the version that was tested';
  }
}

export function describeUnwoken(name: string, { why, until, help }: Unwoken): string {
  return `${name} is not woken while it is at rest: ${describeWait(why)}. ${until}. ${help(name)}.`;
}

/**
 * Whether what is sent to it now waits for that reason. One that has exited gets it with its next
 * start.
 */
export function waitsWhile(status: AgentStatus, { isHeardAtTurnEnd }: Unwoken): boolean {
  if (status === 'exited') return false;
  return status !== 'processing' || !isHeardAtTurnEnd;
}
